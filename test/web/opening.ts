import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { type Stage, inSidebar, said } from './area.ts';
import { askAs, say } from './as-user.ts';
import { fillTopic } from './fill-topic.ts';
import { show } from './settle.ts';

const unreadCount = 8;
const unread = (n: number) =>
  [`Unread ${n}`, ...Array.from({ length: 6 }, (_, line) => `line ${line}`)].join('\n');

/** Where the reader is: what stands at the top of what is new, whether the end is in view, and what counts as unread. */
const findPlace = (page: Page) =>
  page.locator('.message-scroller').evaluate((scroller) => {
    const line = scroller.querySelector('.new-line');
    const { top } = scroller.getBoundingClientRect();
    return {
      newAt: line && Math.round(line.getBoundingClientRect().top - top),
      isAtEnd: scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 30,
    };
  });

/**
 * What is to be done once the page has been drawn waits until the end, as if drawing took long: a virtual list that has
 * not measured its rows, or nobody who listens yet.
 */
async function holdDrawing(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const later: unknown[] = [];
    const { setTimeout: start } = globalThis;
    const hold = (act: unknown) => later.push(act);
    Object.assign(globalThis, {
      holdDrawing: () => {
        globalThis.requestAnimationFrame = hold;
        Object.assign(globalThis, {
          setTimeout: (act: () => void, ms?: number) => (ms === 35 ? hold(act) : start(act, ms)),
        });
      },
    });
  });
}

/** A list begins at what is unread, and shows what has come, however long the page takes to draw. */
export async function checkOpening(stage: Stage, page: Page, general: string): Promise<void> {
  const bob = askAs(stage, 'Bob Member');
  const first = await say(bob, 'general', 'opening', 'The first.');
  await fillTopic(stage.demos, first, 40);
  await askAs(stage, 'Alice Member').post('/mark_all_as_read');
  for (let n = 0; n < unreadCount; n += 1) {
    // One after the other: their order is looked at.
    // oxlint-disable-next-line no-await-in-loop
    await say(bob, 'general', 'opening', unread(n));
  }
  // What comes while the end is in view is read, and begins nothing new.
  await inSidebar(page, 'Inbox')
    .filter({ hasText: String(unreadCount) })
    .waitFor();
  await show(page, 'feed');
  await said(page, 'Unread 0').waitFor();
  await page.waitForFunction(() => document.querySelector('.new-line'));
  // Whatever is heard afterwards, the reader stays there.
  await say(bob, 'general', 'elsewhere', 'Heard meanwhile.');
  await say(bob, 'general', 'opening', 'The last.');
  await page.getByRole('button', { name: 'Newest' }).waitFor();
  const place = await findPlace(page);
  assert.equal(place.isAtEnd, false, 'the end is not in view');
  assert.ok(
    place.newAt !== null && place.newAt >= 0 && place.newAt < 120,
    `what is new begins at ${place.newAt}`,
  );
  const { messages } = await askAs(stage, 'Alice Member').get<{ messages: { flags: string[] }[] }>(
    '/messages',
    {
      narrow: [{ operator: 'topic', operand: 'opening' }],
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
    },
  );
  assert.deepEqual(
    messages.map(({ flags }) => flags),
    [[]],
    'nobody has seen the last one',
  );
  stage.saw('a list begins at the first unread message, and reads nothing that was not in view');

  await using late = await stage.open('Alice Member');
  await holdDrawing(late.page);
  await late.page.reload();
  await late.page.getByRole('search').waitFor();
  await late.page.evaluate(() => (globalThis as unknown as { holdDrawing: () => void }).holdDrawing());
  await late.page.evaluate((hash) => void (location.hash = hash), `${general}/topic/opening`);
  await said(late.page, 'The last.').first().waitFor({ state: 'attached' });
  stage.saw('messages are shown that come before the page was drawn');
}
