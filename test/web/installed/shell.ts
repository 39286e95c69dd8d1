import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import type { Stage } from '../area.ts';
import { openPage } from '../browser.ts';
import { startChangingFront } from './changing-front.ts';

/** The build whose page is shown. */
const buildOf = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLMetaElement>('meta[name=build]')?.content);

/** The names of what is kept, and the paths. */
const keptBy = (page: Page) =>
  page.evaluate(async () => {
    const kept = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys())
        kept.push({ name, path: new URL(url).pathname });
    return kept;
  });

/** Waits until the worker of a version has taken the place of all others. */
async function isWorkerOf(page: Page, version: string): Promise<void> {
  const isIt = () =>
    page.evaluate(async (name) => {
      const names = await caches.keys();
      return navigator.serviceWorker.controller?.state === 'activated' && names.join() === name;
    }, `parley-shell-${version}`);
  for (let tries = 0; !(await isIt()); tries += 1) {
    assert.ok(tries < 300, `the worker of the ${version} build has not come`);
    await page.waitForTimeout(100);
  }
}

/** An upgrade is there at the next load, with the worker of the build before still in place; and so is the page without a server. */
export async function isNeverStale(stage: Stage): Promise<void> {
  await using front = await startChangingFront(stage.address);
  await using visitor = await openPage(stage.browser, { serviceWorkers: 'allow' });
  const { page } = visitor;
  await page.goto(front.address);
  await isWorkerOf(page, 'first');
  await page.reload();
  await page.getByLabel('Password').waitFor();
  assert.equal(await buildOf(page), 'first');
  const kept = await keptBy(page);
  assert.ok(kept.length > 5, 'what the page loads is kept');
  const others = kept.filter(({ path }) => path !== '/' && !path.startsWith('/static/web/'));
  assert.deepEqual(others, [], 'nothing of the API is kept');
  stage.saw('the page and its files are kept in the browser, and nothing else');

  front.upgrade('second');
  await page.reload();
  assert.equal(await buildOf(page), 'second', 'the first load after an upgrade');
  await isWorkerOf(page, 'second');
  stage.saw('the first load after an upgrade shows the new page, and what was kept of the old one is gone');

  front.isAway = true;
  await page.reload();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  assert.equal(await buildOf(page), 'second');
  front.isAway = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByLabel('Password').waitFor();
  stage.saw('without a server the page opens and says so, and goes on once there is one');
}
