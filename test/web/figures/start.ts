import { type EventEmitter, once } from 'node:events';

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import type { Stage } from '../area.ts';
import { askAs, channelId, say } from '../as-user.ts';
import { openPage } from '../browser.ts';

export const scriptKibMax = 96;
const rounds = 10;
const messageLimitMs = 60_000;
/** What a page calls when its first message has been painted. */
const binding = 'messageIsPainted';

interface Times {
  /** Milliseconds from navigation. */
  paint: number;
  message: number;
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const ms = (values: readonly number[]) => `${Math.round(median(values))} ms`;

/** A phone of some years ago, far from a city: a quarter of this machine's speed, and 1.6 Mbit/s. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const bytesPerSecond = 1_600_000 / 8;
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

/** A page of ours in a new browser profile, with nothing in its cache. */
async function visit(browser: Browser, address: string, options: BrowserContextOptions, isSlow = false) {
  await using visitor = await openPage(browser, options);
  const { page } = visitor;
  if (isSlow) await slowDown(page);
  await page.addInitScript((told) => {
    // The browser itself says when a text was painted, of elements that ask for it.
    new MutationObserver((_, observer) => {
      const text = document.querySelector('article .rendered p');
      if (!text) return;
      observer.disconnect();
      performance.mark('drawn');
      text.setAttribute('elementtiming', 'message');
    }).observe(document, { childList: true, subtree: true });
    new PerformanceObserver((list) => {
      const [{ startTime } = { startTime: 0 }] = list.getEntries();
      performance.mark('message', { startTime });
      Reflect.get(globalThis, told)('');
    }).observe({ type: 'element', buffered: true });
  }, binding);
  // Whoever asks a page before that takes its time: what asks is more script than the client.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: binding });
  const isClient = address.includes('#');
  const limited = { signal: AbortSignal.timeout(messageLimitMs) };
  const seen = isClient && once(session as unknown as EventEmitter, 'Runtime.bindingCalled', limited);
  await page.goto(address);
  await seen;
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  return await page.evaluate(() => {
    const at = (name: string) => performance.getEntriesByName(name)[0]?.startTime ?? 0;
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    // What is around the messages is fetched after them.
    const scripts = files.filter(({ name, startTime }) => name.endsWith('.js') && startTime < at('drawn'));
    return {
      paint: at('first-contentful-paint'),
      message: at('message'),
      // A part of the script stands in the page.
      scriptBytes: [...scripts, ...performance.getEntriesByType('navigation')].reduce(
        (sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize,
        0,
      ),
    };
  });
}

/** What the first look costs: script, and time, beside the log-in page of the same server, which has no script. */
export async function measureStart(stage: Stage) {
  const { browser, address } = stage;
  const bob = askAs(stage, 'Bob Member');
  for (let number = 1; number <= 50; number += 1) await say(bob, 'general', 'start', `Line ${number}`);
  const general = await channelId(bob, 'general');
  await using reader = await stage.open('Alice Member');
  const storageState = await reader.page.context().storageState();
  const [floor, client, slow]: [Times[], Times[], Times[]] = [[], [], []];
  const topic = `${address}/#narrow/channel/${general}-general/topic/start`;
  let scriptBytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    floor.push(await visit(browser, `${address}/login/`, {}));
    const seen = await visit(browser, topic, { storageState });
    client.push(seen);
    slow.push(await visit(browser, topic, { storageState }, true));
    ({ scriptBytes } = seen);
  }
  const scriptKib = scriptBytes / 1024;
  const rows: [string, string][] = [
    [`script at the first look, brotli (at most ${scriptKibMax} KiB)`, `${scriptKib.toFixed(1)} KiB`],
    ['first paint of a page without script', ms(floor.map(({ paint }) => paint))],
    ['first paint of the client', ms(client.map(({ paint }) => paint))],
    ['first message of the client', ms(client.map(({ message }) => message))],
    ['first paint on a slow device (a quarter of the speed, 1.6 Mbit/s)', ms(slow.map(({ paint }) => paint))],
    ['first message on a slow device', ms(slow.map(({ message }) => message))],
  ];
  return { scriptKib, rows };
}
