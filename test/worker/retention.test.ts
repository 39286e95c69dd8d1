import { expect, test } from 'vitest';

import {
  type Json,
  type Person,
  archivedContent,
  createChannel,
  makeOlder,
  realm,
  runRecurring,
  say,
  succeed,
  tell,
} from '../support/index.ts';

const day = 86_400;
const seen = async (who: Person): Promise<number[]> =>
  (await who.get('/messages', { anchor: 'newest', num_before: 100 })).messages.map(({ id }: Json) => id);

test('messages go when their channel or the organization keeps them no longer, and clients are told', async () => {
  const { owner, alice, bob } = await realm();
  const days = { short: '7', ours: 'realm_default', ever: 'unlimited' };
  const channels: Record<string, number> = {};
  for (const [name, message_retention_days] of Object.entries(days)) {
    channels[name] = await createChannel(owner, name, [owner, alice], { message_retention_days });
  }
  const ids: Record<string, number> = {};
  for (const name of Object.keys(days)) {
    for (const age of [1, 10, 40]) {
      const id = await say(alice, name, `${name} ${age}`, `said ${age} days ago`);
      ids[`${name} ${age}`] = id;
      await makeOlder(alice, id, age * day);
    }
  }
  const old = await tell(alice, [bob], 'an old letter');
  const letter = await tell(alice, [bob], 'a letter');
  await makeOlder(alice, old, 40 * day);
  await runRecurring('expire-messages');
  expect(await seen(alice), 'only the first channel has a limit').not.toContain(ids['short 10']);
  expect(await seen(bob)).toEqual([old, letter]);

  const [phone, his] = [await alice.listen(), await bob.listen()];
  await succeed(owner.patch('/realm', { message_retention_days: 30 }));
  await runRecurring('expire-messages');
  const left = await seen(alice);
  for (const [name, isLeft] of Object.entries({
    'short 1': true,
    'short 10': false,
    'short 40': false,
    'ours 1': true,
    'ours 10': true,
    'ours 40': false,
    'ever 1': true,
    'ever 40': true,
  })) {
    expect(left.includes(ids[name] ?? 0), name).toBe(isLeft);
  }
  expect(await seen(bob)).toEqual([letter]);
  const told = (await phone.hears()).filter(({ type }) => type === 'delete_message');
  expect(told).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ message_type: 'stream', stream_id: channels['ours'], topic: 'ours 40' }),
      expect.objectContaining({ message_type: 'private' }),
    ]),
  );
  expect(told).toHaveLength(2);
  expect((await his.hears()).filter(({ type }) => type === 'delete_message')).toHaveLength(1);
  expect(await archivedContent(alice, old)).toBe('an old letter');
  expect(await runRecurring('expire-messages')).toEqual({ places: 0, batches: 0 });
});
