import type { Page } from 'playwright-core';

import { textsOf } from './translated.ts';

/** Goes to a view and waits until it is there. */
export async function show(page: Page, fragment: string): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), fragment);
  await settle(page);
}

/** Waits until a view has what it asked for, and is drawn. */
export async function settle(page: Page): Promise<void> {
  const texts = await textsOf(await page.evaluate(() => document.documentElement.lang));
  // Until it has heard that the address changed, the page shows the view before.
  await idle(page);
  await page.waitForFunction((loading) => {
    const main = document.querySelector('main');
    return main !== null && !main.textContent.includes(loading);
  }, texts('common.loading'));
  await idle(page);
}

const idle = async (page: Page) =>
  await page.evaluate(
    async () => await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 })),
  );
