import { describe, expect, test } from 'vitest';

import {
  createChannel,
  makeChannelOlder,
  makeOlder,
  measureAll,
  realm,
  runRecurring,
  say,
} from '../support/index.ts';

/** Runs the jobs as they would run that many days from now. */
async function run(days = 0): Promise<void> {
  const clock = { nowMs: () => Date.now() + days * 86_400_000 };
  await runRecurring('channel-activity', { clock });
  await measureAll({ clock });
}

describe('what is measured daily', () => {
  test('a channel’s average week is known when it is a week old', async () => {
    const { alice } = await realm();
    const id = await createChannel(alice, 'news');
    const oldest = { anchor: 'oldest', num_after: 1, narrow: [['channel', id]] };
    const [notice] = (await alice.get('/messages', oldest)).messages;
    for (const topic of ['a', 'b', 'c']) await say(alice, id, topic);
    await run();
    const traffic = async () => (await alice.get(`/streams/${id}`)).stream.stream_weekly_traffic;
    expect(await traffic()).toBeNull();
    await makeChannelOlder(id, 14);
    await makeOlder(alice, notice.id, 40 * 86_400);
    await run(1.1);
    // Three messages in two weeks: the notice of its making is too old to count.
    expect(await traffic()).toBe(2);
  });

  test('a channel in which nothing is said for half a year is no longer active', async () => {
    const { alice } = await realm();
    const id = await createChannel(alice, 'news');
    const isActive = async () => (await alice.get(`/streams/${id}`)).stream.is_recently_active;
    await run(179);
    expect(await isActive()).toBe(true);
    await run(181);
    expect(await isActive()).toBe(false);
  });
});
