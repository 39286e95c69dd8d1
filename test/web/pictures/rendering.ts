import { createHash } from 'node:crypto';

import type { Browser } from 'playwright-core';

import type { Rendering } from '../../pictures/accepted.ts';
import { readPoints } from '../../pictures/compare.ts';

/** Letters for which the client brings no typeface, in the families that it falls back to. */
const letters = 'Aa 0 ★ ☎ → ∑ السماء صافية 日本語 Ωж';
const families = ['system-ui', 'sans-serif', 'monospace', 'serif', 'Liberation Sans', 'Arial'];

/** Finds out what draws: the same everywhere where pictures can be the same to a point. */
export async function findRendering(browser: Browser): Promise<Rendering> {
  const page = await browser.newPage({ viewport: { width: 600, height: 300 } });
  try {
    const lines = families.map((family) => `<p style="margin: 4px; font: 17px '${family}'">${letters}</p>`);
    await page.setContent(lines.join('').replaceAll(/'(system-ui|sans-serif|monospace|serif)'/g, '$1'));
    const { data } = await readPoints(await page.screenshot());
    return {
      chromium: browser.version(),
      platform: `${process.platform}-${process.arch}`,
      typefaces: createHash('sha256').update(data).digest('hex'),
    };
  } finally {
    await page.close();
  }
}
