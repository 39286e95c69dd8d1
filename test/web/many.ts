import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { type Area, assertSound } from './area.ts';
import { fillTopic, writer } from './writers.ts';

const messages = 100_000;
/** Elements of the whole page, however many messages the topic has. */
const elementsMax = 2500;
const heapMaxMb = 80;

const countElements = () => document.querySelectorAll('*').length;

/** What the page's script keeps, after all that nobody needs is gone. */
async function heapMb(page: Page): Promise<number> {
  const debuggerSession = await page.context().newCDPSession(page);
  await debuggerSession.send('HeapProfiler.collectGarbage');
  const { usedSize } = await debuggerSession.send('Runtime.getHeapUsage');
  await debuggerSession.detach();
  return usedSize / 1e6;
}

/**
 * Scrolls for so many frames, as a wheel would, and answers with how many frames came late. The reader's place must
 * never jump: what is in view moves by what was scrolled, whatever is loaded meanwhile.
 */
async function scroll(page: Page, pixels: number, frames: number) {
  return await page.evaluate(
    async ([pixels, count]) => {
      const scroller = document.querySelector('.message-scroller');
      if (!scroller) throw new Error('There is no list.');
      const frame = async () => await new Promise(requestAnimationFrame);
      const middle = () => {
        const box = scroller.getBoundingClientRect();
        return [...scroller.querySelectorAll('article')].find(
          (one) => one.getBoundingClientRect().bottom > box.top + box.height / 2,
        );
      };
      let [late, before] = [0, performance.now()];
      const jumps: string[] = [];
      // The list has come to rest before it is scrolled.
      for (let [rest, at] = [0, -1]; rest < 10; await frame()) {
        rest = scroller.scrollTop === at ? rest + 1 : 0;
        at = scroller.scrollTop;
      }
      before = performance.now();
      for (let done = 0; done < count; done += 1) {
        const seen = middle();
        const top = seen?.getBoundingClientRect().top ?? 0;
        const from = scroller.scrollTop;
        scroller.scrollBy(0, pixels);
        const moved = scroller.scrollTop - from;
        await frame();
        const now = performance.now();
        if (now - before > 50) late += 1;
        before = now;
        if (!seen?.isConnected) continue;
        const by = seen.getBoundingClientRect().top - top + moved;
        if (Math.abs(by) > 2) jumps.push(`${by} at ${seen.textContent.slice(0, 30)}`);
      }
      return { late, jumps };
    },
    [pixels, frames] as const,
  );
}

/** The number of the first message in view. */
const firstShown = () => {
  const top = document.querySelector('.message-scroller')?.getBoundingClientRect().top ?? 0;
  const first = [...document.querySelectorAll('article')].find(
    (one) => one.getBoundingClientRect().bottom > top,
  );
  return Number(/Message (\d+)/.exec(first?.textContent ?? '')?.[1]);
};

/** A topic of a hundred thousand messages: to its end, to its beginning, and through it in both directions. */
export const many: Area = {
  name: 'many',
  async check(stage) {
    const { open, saw, demos } = stage;
    const bob = writer(stage, 'Bob Member');
    const begin = await bob.say('general', 'many', 'The first of many.');
    await fillTopic(demos, begin, messages);
    const channel = await bob.channelId('general');

    await using alice = await open('Alice Member');
    const { page } = alice;
    await page.goto(`${stage.address}/#narrow/channel/${channel}-general/topic/many`);
    await page.reload();
    await page
      .locator('article')
      .filter({ hasText: `Message ${messages}` })
      .waitFor();
    const waited = await page.evaluate(() => {
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      return [Math.round(paint?.startTime ?? 0), Math.round(performance.now())];
    });
    saw(`first paint after ${waited[0]} ms, the newest message within ${waited[1]} ms of the page's start`);
    await assertSound(alice, 'a long topic');

    const heapBefore = await heapMb(page);
    const up = await scroll(page, -160, 1500);
    const reached = await page.evaluate(firstShown);
    assert.ok(reached < messages - 1000, `scrolled up to message ${reached}`);
    const down = await scroll(page, 160, 800);
    assert.ok((await page.evaluate(firstShown)) > reached + 500, 'scrolled down again');
    saw(`up to message ${reached} and down again; late frames: ${up.late} of 1500, ${down.late} of 800`);
    assert.deepEqual([...up.jumps, ...down.jumps], [], 'jumps');

    await page.getByRole('region', { name: 'History' }).focus();
    await page.keyboard.press('Home');
    await page.getByText('The first of many.').waitFor();
    const along = await scroll(page, 400, 1500);
    const forth = await page.evaluate(firstShown);
    assert.ok(forth > 3000, `scrolled down to message ${forth}`);
    saw(`from the beginning to message ${forth}; late frames: ${along.late} of 1500`);
    assert.deepEqual(along.jumps, [], 'jumps');
    const elements = await page.evaluate(countElements);
    assert.ok(elements < elementsMax, `${elements} elements`);
    const heap = await heapMb(page);
    assert.ok(heap < heapMaxMb, `${heap} MB`);
    saw(`${elements} elements; ${heapBefore.toFixed(1)} MB at first, ${heap.toFixed(1)} MB after all that`);
    await page.keyboard.press('End');
    await page
      .locator('article')
      .filter({ hasText: `Message ${messages}` })
      .waitFor();
    await assertSound(alice, 'a long topic, gone through');
  },
};
