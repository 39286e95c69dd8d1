import { constants, setPriority } from 'node:os';
import { setTimeout } from 'node:timers/promises';

import type { Browser, Locator, Page } from 'playwright-core';

import { launchBrowser } from '../../support/chromium.ts';
import { type Stage, openAs, said } from '../area.ts';
import { askAs, channelId, say } from '../as-user.ts';
import { setServersPriority } from './servers-priority.ts';

const keys = 600;
const eventsPerSecond = 100;
const writersAtOnce = 8;

/**
 * A display for which no frame waits. Chromium puts all that follows a key off until the next frame, so that on a display of
 * 60 Hz one keystroke of twenty takes 17 ms also in a page that has nothing but a text area.
 */
const unpacedDisplay = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];

/** Collects how long each keystroke takes the page: from the key to when all that follows from it is done and drawn. */
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

/** Presses keys in a field, and returns how long each took, in milliseconds, the shortest first. */
async function type(page: Page, field: Locator): Promise<number[]> {
  const collected = await watchKeys(page);
  await field.focus();
  for (let key = 0; key < keys; key += 1)
    await page.keyboard.press(key % 7 === 6 ? 'Space' : 'e', { delay: 20 });
  return (await collected()).toSorted((one, other) => one - other);
}

const at = (waits: readonly number[], share: number) =>
  `${(waits[Math.floor(waits.length * share)] ?? 0).toFixed(1)} ms`;

/** What a keystroke takes where a page does nothing with it, beside the same servers. */
async function measureFloor(browser: Browser): Promise<number[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.setContent('<textarea rows="3" cols="80"></textarea>');
  const waits = await type(page, page.locator('textarea'));
  await context.close();
  return waits;
}

/** Somebody writes to the topic of a busy channel while a hundred messages a second arrive in it. */
export async function measureTyping(stage: Stage): Promise<[string, string][]> {
  await using browser = await launchBrowser(...unpacedDisplay);
  if (!browser) throw new Error('There is no browser any more.');
  // Whoever sends a hundred messages a second, and what takes them, have what the browser leaves.
  setServersPriority(stage, constants.priority.PRIORITY_LOW);
  setPriority(constants.priority.PRIORITY_LOW);
  const bob = askAs(stage, 'Bob Member');
  const general = await channelId(bob, 'general');
  await say(bob, 'general', 'typing', 'It begins.');
  await using alice = await openAs({ ...stage, browser }, 'Alice Member');
  const { page } = alice;
  await page.goto(`${stage.address}/#narrow/channel/${general}-general/topic/typing`);
  await said(page, 'It begins.').waitFor();
  const from = performance.now();
  const over = new AbortController();
  let sent = 0;
  const write = async () => {
    while (!over.signal.aborted) {
      const due = from + (sent * 1000) / eventsPerSecond;
      sent += 1;
      if (due > performance.now()) await setTimeout(due - performance.now());
      await say(bob, 'general', 'typing', `Reading ${sent} of a sensor, which is **within** its limits.`);
    }
  };
  const writers = Array.from({ length: writersAtOnce }, write);
  const waits = await type(page, page.getByLabel('Message', { exact: true }));
  await page.close();
  const floor = await measureFloor(browser);
  over.abort();
  await Promise.all(writers);
  const seconds = (performance.now() - from) / 1000;
  return [
    [`a keystroke beside ${Math.round(sent / seconds)} messages a second, median of ${keys}`, at(waits, 0.5)],
    ['a keystroke beside them, 95th percentile', at(waits, 0.95)],
    ['a keystroke in a bare text area, 95th percentile', at(floor, 0.95)],
  ];
}
