import type { Page } from 'playwright-core';

import { type Stage, said } from '../area.ts';
import { askAs, channelId, say } from '../as-user.ts';

const keys = 600;
const eventsPerSecond = 100;
const writersAtOnce = 8;

/** Collects how long each keystroke takes the page: from the key to when all that follows from it is done. */
async function watchKeys(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const waits: number[] = [];
    Object.assign(globalThis, { waits });
    let pressedAt = 0;
    globalThis.addEventListener('keydown', ({ timeStamp }) => (pressedAt = timeStamp), { capture: true });
    globalThis.addEventListener('input', () => {
      const from = pressedAt;
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => waits.push(performance.now() - from), { once: true });
      port1.start();
      port2.postMessage(null);
    });
  });
  return () => page.evaluate(() => (globalThis as unknown as { waits: number[] }).waits);
}

/** Somebody writes to the topic of a busy channel while a hundred messages a second arrive in it. */
export async function measureTyping(stage: Stage): Promise<[string, string][]> {
  const bob = askAs(stage, 'Bob Member');
  const general = await channelId(bob, 'general');
  await say(bob, 'general', 'typing', 'It begins.');
  await using alice = await stage.open('Alice Member');
  const { page } = alice;
  await page.goto(`${stage.address}/#narrow/channel/${general}-general/topic/typing`);
  await said(page, 'It begins.').waitFor();
  const collected = await watchKeys(page);
  const from = performance.now();
  const over = new AbortController();
  let sent = 0;
  const write = async () => {
    while (!over.signal.aborted) {
      const due = from + (sent * 1000) / eventsPerSecond;
      sent += 1;
      if (due > performance.now()) await page.waitForTimeout(due - performance.now());
      await say(bob, 'general', 'typing', `Reading ${sent} of a sensor, which is **within** its limits.`);
    }
  };
  const writers = Array.from({ length: writersAtOnce }, write);
  const field = page.getByLabel('Message', { exact: true });
  await field.focus();
  for (let key = 0; key < keys; key += 1)
    await page.keyboard.press(key % 7 === 6 ? 'Space' : 'e', { delay: 20 });
  over.abort();
  await Promise.all(writers);
  const seconds = (performance.now() - from) / 1000;
  const waits = (await collected()).toSorted((one, other) => one - other);
  const at = (share: number) => `${(waits[Math.floor(waits.length * share)] ?? 0).toFixed(1)} ms`;
  return [
    [
      `a keystroke beside ${Math.round(sent / seconds)} messages a second, median of ${waits.length}`,
      at(0.5),
    ],
    ['a keystroke beside them, 95th percentile', at(0.95)],
  ];
}
