import assert from 'node:assert/strict';

import { type Connection, isTransient } from '@parley/client';
import type { ClusterNode } from '@parley/infra';
import type { Page } from 'playwright-core';

import { type Area, assertSound, said } from './area.ts';
import { askAs, channelId } from './as-user.ts';

const topic = 'while nodes end';

/** The longest that a message is sent again and again. */
const sendMsMax = 120_000;

interface Watch {
  banners: number;
  seen: Set<string>;
  /** What was shown twice at one time. */
  repeated: string[];
}

const readWatch = () => {
  const { watch } = globalThis as unknown as { watch: Watch };
  return { ...watch, seen: [...watch.seen] };
};

/** Notes all messages of the topic that the page ever shows, and how often it says that there is no connection. */
const watch = (page: Page) =>
  page.evaluate(() => {
    const watch: Watch = { banners: 0, seen: new Set(), repeated: [] };
    Object.assign(globalThis, { watch });
    let hasBanner = false;
    const look = () => {
      const texts = [...document.querySelectorAll('main article :is(.rendered, .pending-text)')].flatMap(
        (one) => /\b(?:arrives|typed) \d+/.exec(one.textContent)?.[0] ?? [],
      );
      watch.repeated.push(...texts.filter((text, index) => texts.indexOf(text) !== index));
      for (const text of texts) watch.seen.add(text);
      const has = document.querySelector('.banner')?.textContent.includes('No connection') ?? false;
      if (has && !hasBanner) watch.banners += 1;
      hasBanner = has;
    };
    new MutationObserver(look).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
    look();
  });

/** Goes up through the list, which shows what is in view and no more, until all has been seen. */
const seeAll = (page: Page, count: number) =>
  page.evaluate(async (wanted) => {
    const { watch } = globalThis as unknown as { watch: Watch };
    const scroller = document.querySelector('.message-scroller');
    if (!scroller) throw new Error('There is no list.');
    while (watch.seen.size < wanted && scroller.scrollTop > 0) {
      scroller.scrollBy(0, -scroller.clientHeight / 2);
      await new Promise(requestAnimationFrame);
    }
  }, count);

/** Somebody whose program sends again what got no answer; the queue's id makes that the same message. */
async function createWriter(connection: Connection) {
  const { queue_id } = await connection.post<{ queue_id: string }>('/register', { event_types: ['message'] });
  return async (content: string): Promise<void> => {
    const signal = AbortSignal.timeout(sendMsMax);
    const message = { type: 'channel', to: 'general', topic, content, queue_id, local_id: content };
    for (;;) {
      try {
        await connection.post('/messages', message);
        return;
      } catch (error) {
        if (signal.aborted || !isTransient(error)) throw error;
      }
    }
  };
}

async function fetchAll(connection: Connection, channel: number): Promise<string[]> {
  const { messages } = await connection.get<{ messages: { content: string }[] }>('/messages', {
    anchor: 'newest',
    num_before: 5000,
    num_after: 0,
    apply_markdown: false,
    narrow: [
      { operator: 'channel', operand: channel },
      { operator: 'topic', operand: topic },
    ],
  });
  return messages.map(({ content }) => content);
}

/** Nodes are killed and replaced while somebody types and messages arrive: whoever looks at the page cannot tell. */
export const nodes: Area = {
  name: 'nodes',
  async check(stage) {
    const { demos, open, saw } = stage;
    const { cluster } = demos;
    const bob = askAs(stage, 'Bob Member');
    const send = await createWriter(bob);
    const sent = ['arrives 0'];
    await send('arrives 0');
    await using alice = await open('Alice Member');
    const { page, problems } = alice;
    const general = await channelId(bob, 'general');
    await page.goto(`${stage.address}/#narrow/channel/${general}-general/topic/while.20nodes.20end`);
    await page.getByText('arrives 0').first().waitFor();
    await watch(page);
    const field = page.getByLabel('Message', { exact: true });

    /** Types while something is done to the cluster and messages arrive, and then sends what was typed. */
    async function typeWhile(disturb: () => Promise<void>): Promise<void> {
      const progress = { isOver: false };
      const disturbance = disturb().finally(() => (progress.isOver = true));
      // It is awaited below; until then a failure of it is nobody's unhandled rejection.
      disturbance.catch(() => undefined);
      let typed = `typed ${sent.length} `;
      try {
        await field.pressSequentially(typed);
        while (!progress.isOver) {
          const arriving = `arrives ${sent.length}`;
          await Promise.all([send(arriving), field.pressSequentially('x')]);
          sent.push(arriving);
          typed += 'x';
        }
      } finally {
        // Nodes that are replaced while the cluster is stopped would be started again.
        await disturbance;
      }
      assert.equal(await field.inputValue(), typed, 'nothing that was typed is lost');
      // Whoever sees the end of a topic goes on seeing it.
      await said(page, sent.at(-1) ?? '')
        .last()
        .waitFor();
      await page.keyboard.press('Control+Enter');
      sent.push(typed);
      await said(page, typed).first().waitFor();
      await seeAll(page, sent.length);
      await page.getByRole('region', { name: 'Messages' }).press('End');
      await page.getByRole('button', { name: /^Newest/ }).waitFor({ state: 'detached' });
      await field.focus();
    }

    const killAll = (role: ClusterNode['role']) => async () => {
      for (const node of cluster.nodes.filter((one) => one.role === role)) {
        cluster.kill(node);
        await cluster.whenReady();
      }
    };
    await typeWhile(killAll('queue'));
    saw('every queue node was killed while somebody typed');
    await typeWhile(killAll('api'));
    saw('every api node was killed while somebody typed');
    await typeWhile(() => cluster.roll());
    saw('every process of the cluster was replaced while somebody typed');

    const { banners, repeated, seen } = await page.evaluate(readWatch);
    const missing = sent.filter((text) => !seen.includes(text.replace(/ x*$/, '')));
    assert.deepEqual(missing, [], 'every message is shown');
    assert.deepEqual(repeated, [], 'no message is shown twice');
    assert.deepEqual((await fetchAll(bob, general)).sort(), [...sent].sort(), 'each was sent once');
    await page.getByText('You’re offline.').waitFor({ state: 'detached' });
    saw(`all ${sent.length} messages are shown once; the banner appeared ${banners} times`);
    // Browsers say so of each answer of the proxy for a node that is gone; the client asks again.
    const others = problems.filter((problem) => !/Failed to load resource: .*\b50[23]\b/.test(problem));
    await assertSound({ ...alice, problems: others }, 'a page whose cluster was replaced');
  },
};
