import assert from 'node:assert/strict';

import { type Area, assertSound } from './area.ts';
import { askAs, channelId, say } from './as-user.ts';
import { fillTopic } from './fill-topic.ts';
import { countElements, heapMb, scroll } from './measure.ts';

const messages = 100_000;
/** Elements of the whole page, however many messages the topic has. */
const elementsMax = 2500;
const heapMaxMb = 80;

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
    const bob = askAs(stage, 'Bob Member');
    const begin = await say(bob, 'general', 'many', 'The first of many.');
    await fillTopic(demos, begin, messages);
    const channel = await channelId(bob, 'general');

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

    await page.getByRole('region', { name: 'Messages' }).focus();
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
