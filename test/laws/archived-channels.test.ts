import { expect, test } from 'vitest';

import { type Person, createChannel, newest, realm, runRecurring, say, succeed } from '../support/index.ts';

const { archived_channels: _, ...withoutArchived } = newest;

/** A channel that Bob follows, with something unread, starred and muted in it. */
async function withChannel() {
  const { owner, alice, bob } = await realm();
  const id = await createChannel(owner, 'sealed', [alice, bob], { message_retention_days: 30 });
  const kept = await createChannel(owner, 'kept', [alice, bob]);
  const message = await say(alice, 'sealed', 'inside', `@**${bob.name}**`);
  const other = await say(alice, 'kept', 'outside');
  const set = (stream_id: number, topic: string, visibility_policy: number) =>
    succeed(bob.post('/user_topics', { stream_id, topic, visibility_policy }));
  await set(id, 'inside', 3);
  await set(id, 'muted inside', 1);
  await set(kept, 'muted outside', 1);
  await succeed(owner.patch('/realm', { new_stream_announcements_stream_id: id }));
  await succeed(owner.patch(`/streams/${id}`, { is_default_stream: true }));
  return { owner, bob, id, kept, message, other, set };
}

const fetch_event_types = [
  'default_streams',
  'default_stream_groups',
  'message',
  'muted_topics',
  'realm',
  'stream',
  'subscription',
  'update_message_flags',
];

/** All that POST /register tells of channels and topics. */
const register = async (person: Person, client_capabilities: object) =>
  JSON.stringify([
    await person.post('/register', { fetch_event_types, client_capabilities }),
    await person.post('/register', { fetch_event_types: ['user_topic'], client_capabilities }),
  ]);

/** The words by which the channel could be told. */
const words = (text: string) =>
  ['sealed', 'inside', 'muted inside'].filter((word) => text.includes(`"${word}"`));

test('nothing of an archived channel is in the state or the events of a client that does not know archives', async () => {
  const { owner, bob, id, kept, message, other, set } = await withChannel();
  await succeed(owner.delete(`/streams/${id}`));
  const [old, capable] = [await register(bob, withoutArchived), await register(bob, newest)];
  expect([words(old), old.includes(`"stream_id":${id},`)]).toEqual([[], false]);
  const { unread_msgs } = await bob.post('/register', {
    fetch_event_types,
    client_capabilities: withoutArchived,
  });
  expect(unread_msgs).toMatchObject({ count: 2, mentions: [] });
  expect(unread_msgs.streams.map(({ stream_id }: { stream_id: number }) => stream_id)).toEqual([kept, kept]);
  expect(words(capable)).toEqual(['sealed', 'inside', 'muted inside']);
  const [phone, desk] = [
    await bob.listen({ client_capabilities: withoutArchived }),
    await bob.listen({ client_capabilities: newest }),
  ];

  await set(id, 'inside', 1);
  const flags = { messages: [message, other], flag: 'read' };
  await succeed(bob.post('/messages/flags', { ...flags, op: 'add' }));
  await phone.hears();
  await succeed(bob.post('/messages/flags', { ...flags, op: 'remove' }));
  const [unread] = await phone.hears();
  expect(unread).toMatchObject({ op: 'remove', messages: [other] });
  expect(Object.keys(unread?.['message_details'])).toEqual([String(other)]);
  await runRecurring('expire-messages', { clock: { nowMs: () => Date.now() + 31 * 86_400_000 } });

  const heard = JSON.stringify(await phone.hears());
  expect([words(heard), heard.includes(`"stream_id":${id},`)]).toEqual([[], false]);
  const known = (await desk.hears()).map(({ type, op }) => [type, op].filter(Boolean).join(' '));
  expect(known).toEqual(
    expect.arrayContaining(['muted_topics', 'user_topic', 'update_message_flags remove', 'delete_message']),
  );
});

test('a channel that comes back brings what its users have set for its topics', async () => {
  const { owner, bob, id } = await withChannel();
  await succeed(owner.delete(`/streams/${id}`));
  const event_types = ['user_topic'];
  const [phone, desk, older] = [
    await bob.listen({ event_types, client_capabilities: withoutArchived }),
    await bob.listen({ event_types, client_capabilities: newest }),
    await bob.listen({ event_types: ['muted_topics'], client_capabilities: withoutArchived }),
  ];
  await succeed(owner.patch(`/streams/${id}`, { is_archived: false }));
  const back = (await phone.hears()).map(({ topic_name, visibility_policy }) => [
    topic_name,
    visibility_policy,
  ]);
  expect(back).toEqual([
    ['inside', 3],
    ['muted inside', 1],
  ]);
  expect(await desk.hears()).toEqual([]);
  const [list] = await older.hears();
  expect(list?.['muted_topics'].map(([channel, topic]: string[]) => `${channel} ${topic}`)).toEqual([
    'sealed muted inside',
    'kept muted outside',
  ]);
});

test('the notice that a channel is archived comes while every client still has the channel', async () => {
  const { owner, bob, id } = await withChannel();
  const phone = await bob.listen({ client_capabilities: withoutArchived });
  await succeed(owner.delete(`/streams/${id}`));
  expect((await phone.hears()).map(({ type }) => type)).toEqual([
    'message',
    'realm',
    'default_streams',
    'stream',
  ]);
});
