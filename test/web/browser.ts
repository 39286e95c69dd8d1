import { readFile } from 'node:fs/promises';

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { picture } from '../support/http.ts';

const axePath = new URL(import.meta.resolve('axe-core/axe.min.js'));

/** A page in a browser profile of its own, and all that went wrong in it. */
export interface Watched extends AsyncDisposable {
  page: Page;
  /** Errors of scripts, refusals of the page's policy, and what the console says is an error. */
  problems: string[];
  /** Serious faults that axe finds in what is shown now, with where they are. */
  readonly faults: () => Promise<string[]>;
}

/** What a browser says of answers that tests ask for, such as a refused login. */
const isExpected = (text: string) =>
  /Failed to load resource: .*\b(?:401|ERR_INTERNET_DISCONNECTED)\b/.test(text);

/** @param options a service worker stands between a page and what is watched of it, so that there is none unless they say so */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    serviceWorkers: 'block',
    ...options,
  });
  // Pictures of other sites, such as avatars, are asked of nobody.
  await context.route(
    (url) => url.hostname !== '127.0.0.1',
    (route) => route.fulfill({ contentType: 'image/png', body: picture }),
  );
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' && !isExpected(line.text())) problems.push(line.text());
  });
  return {
    page,
    problems,
    faults: () => findFaults(page),
    async [Symbol.asyncDispose]() {
      await context.close();
    },
  };
}

interface AxeResults {
  violations: { id: string; impact: string; help: string; nodes: { target: string[] }[] }[];
}

async function findFaults(page: Page): Promise<string[]> {
  // What fades in has its colors only then; what has just been changed begins to with the next frame.
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await nextFrame().then(nextFrame);
    const fading = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(fading.map(({ finished }) => finished));
  });
  // Its script comes by the debugger, so that the page's policy stands.
  await page.evaluate(await readFile(axePath, 'utf8'));
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) => `${id} (${help}): ${nodes.map(({ target }) => target.join(' ')).join('; ')}`,
    );
}
