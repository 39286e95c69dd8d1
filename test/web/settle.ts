import type { Page } from 'playwright-core';

/** Goes to a view and waits until it is there. */
export async function show(page: Page, fragment: string): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), fragment);
  await settle(page);
}

/** Waits until a view has what it asked for, and is drawn. */
async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const main = document.querySelector('main');
    return main !== null && !main.textContent.includes('Loading…');
  });
  await page.evaluate(
    async () => await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 })),
  );
}
