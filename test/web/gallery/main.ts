import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { type Conclusion, bundle, cannotRun, conclude, readArguments, sayProgress } from '@parley/infra';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { launchBrowser } from '../../support/chromium.ts';
import { openPage } from '../browser.ts';
import { serveFolder } from './serve.ts';

const root = new URL('../../../../', import.meta.url).pathname;

/** How the gallery is looked at. */
const looks: readonly { name: string; options: BrowserContextOptions }[] = [
  { name: 'light', options: { colorScheme: 'light' } },
  { name: 'dark', options: { colorScheme: 'dark' } },
  { name: 'light-more-contrast', options: { colorScheme: 'light', contrast: 'more' } },
  { name: 'dark-more-contrast', options: { colorScheme: 'dark', contrast: 'more' } },
  { name: 'forced-colors', options: { forcedColors: 'active' } },
  { name: 'phone', options: { viewport: { width: 390, height: 844 }, hasTouch: true } },
  // Half as many pixels for the same page are what a zoom of 200 % leaves.
  { name: 'zoomed', options: { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 } },
];

/** What is pressed, so that it is photographed with what it opens. */
const openers = ['dialog', 'menu', 'color', 'date', 'picture', 'toasts'] as const;

const usage = `npm run web:gallery -- [--folder FOLDER] [--json]

Shows every component of the web client with its states on one page, over samples and without a server; photographs it
in Chromium: light, dark, with more contrast, in colors of the system's own, on a phone and enlarged. Exits with 1 if axe
finds a serious or critical fault, such as too little contrast, if a script fails or if the page is wider than the
screen; with 2 where there is no Chromium.

The pictures go to FOLDER, by default ${join(tmpdir(), 'parley-gallery')}.`;

async function photograph(browser: Browser, address: string, folder: string): Promise<Conclusion> {
  const found: string[] = [];
  let pictures = 0;
  for (const { name, options } of looks) {
    await using watched = await openPage(browser, { viewport: { width: 1440, height: 900 }, ...options });
    const { page } = watched;
    await page.goto(`${address}/index.html`);
    await isDrawn(page);
    const report = async (where: string) => {
      const faults = [...(await watched.faults()), ...watched.problems.splice(0), ...(await tooWide(page))];
      found.push(...faults.map((fault) => `${where}: ${fault}`));
      await page.screenshot({
        path: join(folder, `${where}.png`),
        fullPage: where === name,
        animations: 'disabled',
      });
      pictures += 1;
      sayProgress(`${where}: ${faults.length === 0 ? 'no fault' : faults.join('; ')}`);
    };
    await report(name);
    for (const opener of openers) {
      await page.locator(`[data-opens=${opener}]`).click();
      await report(`${name}-${opener}`);
      await page.keyboard.press('Escape');
    }
  }
  return {
    holds: found.length === 0,
    result: `${pictures} pictures of the gallery are in ${folder}, with ${found.length} faults.`,
    report: { folder, faults: found },
  };
}

/** Messages are there, letters have their typeface, and what moves has come to rest. */
async function isDrawn(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Messages' }).getByText('which nobody has read yet').waitFor();
  await page.getByRole('button', { name: /^Show all/ }).waitFor();
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((one) => one.effect?.getComputedTiming().iterations !== Infinity)
        .map((one) => one.finished),
    ).then(() => undefined),
  );
}

async function tooWide(page: Page): Promise<string[]> {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return wider > 0 ? [`the page is ${wider} pixels wider than the screen`] : [];
}

const { values } = readArguments(usage, { folder: { type: 'string' } });
const folder = resolve(values.folder ?? join(tmpdir(), 'parley-gallery'));
const browser = await launchBrowser();
if (browser) {
  const built = await mkdtemp(join(tmpdir(), 'parley-gallery-page-'));
  try {
    await bundle(join(root, 'services/web/gallery'), 'index.html', built);
    await mkdir(folder, { recursive: true });
    await using served = await serveFolder(built);
    conclude(values.json, await photograph(browser, served.address, folder));
  } finally {
    await browser.close();
    await rm(built, { recursive: true, force: true });
  }
} else cannotRun(values.json, 'There is no Chromium here, so the gallery was not photographed.');
process.exit();
