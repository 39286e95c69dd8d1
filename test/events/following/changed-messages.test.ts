import fc from 'fast-check';
import { expect, test } from 'vitest';

import { type Json, type Person, type TestRealm, getWorld, realm } from '../../support/index.ts';
import { isNight } from '../../support/seed.ts';
import { asFollowed, follow, shown } from '../follower/index.ts';

const actors = ['alice', 'bob', 'carol', 'guest', 'moderator'] as const;
const viewers = [...actors, 'owner'] as const;
const channels = ['news', 'food', 'secret', 'vault'] as const;
const topics = ['a', 'A', 'b', '✔ a', ''] as const;
const modes = ['change_one', 'change_later', 'change_all'] as const;

const step = fc.record({
  by: fc.constantFrom(...actors),
  what: fc.constantFrom(
    'send',
    'topic',
    'topic',
    'channel',
    'resolve',
    'edit',
    'delete',
    'policy',
    'star',
    'read',
  ),
  message: fc.nat(9),
  channel: fc.constantFrom(...channels),
  topic: fc.constantFrom(...topics),
  mode: fc.constantFrom(...modes),
  policy: fc.nat(3),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

interface Fixture {
  people: TestRealm;
  channelIds: Record<(typeof channels)[number], number>;
  ids: number[];
}

async function createFixture(): Promise<Fixture> {
  const people = await realm();
  const { alice, bob, carol, guest, moderator } = people;
  const make = async (name: string, principals: Person[], more: object = {}) => {
    await alice.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: principals.map(({ id }) => id),
      ...more,
    });
  };
  await make('news', [alice, bob, guest, moderator]);
  await make('food', [alice, carol]);
  await make('secret', [alice, bob], { invite_only: true, history_public_to_subscribers: true });
  await make('vault', [alice, carol, guest], { invite_only: true, history_public_to_subscribers: false });
  const { subscriptions } = await alice.get('/users/me/subscriptions');
  const idOf = (name: string): number => subscriptions.find((one: Json) => one.name === name).stream_id;
  const ids: number[] = [];
  for (const [index, to] of [...channels, 'news', 'news', 'food', 'secret', 'vault', 'news'].entries()) {
    const topic = topics[index % 3] ?? 'a';
    ids.push((await alice.post('/messages', { type: 'channel', to, topic, content: `${index}` })).id);
  }
  const channelIds = Object.fromEntries(channels.map((name) => [name, idOf(name)])) as Fixture['channelIds'];
  return { people, channelIds, ids };
}

/** Many are refused: what happens depends on who comes first. None fails: every reply is held against the contract. */
async function take({ people, channelIds, ids }: Fixture, one: Step): Promise<Json> {
  const by = people[one.by];
  const id = ids[one.message] ?? 0;
  const patch = (params: object) => by.patch(`/messages/${id}`, { ...params });
  switch (one.what) {
    case 'send':
      return await by.post('/messages', {
        type: 'channel',
        to: one.channel,
        topic: one.topic,
        content: 'new',
      });
    case 'topic':
      return await patch({ topic: one.topic, propagate_mode: one.mode });
    case 'channel':
      return await patch({
        stream_id: channelIds[one.channel],
        propagate_mode: one.mode,
        send_notification_to_old_thread: one.policy === 0,
      });
    case 'resolve':
      return await patch({ topic: '✔ b', propagate_mode: 'change_all' });
    case 'edit':
      return await patch({ content: `edited ${one.topic} @**Bob**` });
    case 'delete':
      return await by.delete(`/messages/${id}`);
    case 'star':
      return await by.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    case 'read':
      return await by.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' });
    default:
      return await by.post('/user_topics', {
        stream_id: channelIds[one.channel],
        topic: one.topic,
        visibility_policy: one.policy,
      });
  }
}

/** What no edit, move or deletion changes: where messages were sent to, and who received and read them. */
async function readLedger(realmId: number) {
  const { sql } = await getWorld();
  const places = await sql<{ id: number; place: string }[]>`
    select id, conversation_id || ' ' || ordinal as place from messages where realm_id = ${realmId}`;
  const members = await sql<{ key: string; received: string; read: string }[]>`
    select conversation_id || ' ' || user_id as key, received, read
    from conversation_members join users u on u.realm_id = conversation_members.realm_id and u.id = user_id where u.realm_id = ${realmId}`;
  return { places: new Map(places.map(({ id, place }) => [id, place])), members: [...members] };
}

async function checkLedger(before: Awaited<ReturnType<typeof readLedger>>, realmId: number): Promise<void> {
  const { sql } = await getWorld();
  const after = await readLedger(realmId);
  for (const [id, place] of after.places) expect(place).toBe(before.places.get(id) ?? place);
  const now = new Map(after.members.map((member) => [member.key, member]));
  for (const { key, received, read } of before.members) {
    const [kept] = await sql`
      select ${now.get(key)?.received ?? ''}::int8multirange @> ${received}::int8multirange as received,
        ${now.get(key)?.read ?? ''}::int8multirange @> ${read}::int8multirange as read`;
    expect(kept, key).toEqual({ received: true, read: true });
  }
}

test('whatever happens to messages at the same moment, followers hold what fresh clients fetch', async () => {
  const waves = fc.array(fc.array(step, { minLength: 2, maxLength: 6 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(waves, async (all) => {
      const fixture = await createFixture();
      const { people } = fixture;
      const followers = await Promise.all(viewers.map((name) => follow(people[name], 'modern')));
      const ledger = await readLedger(people.realm.id);
      for (const wave of all) {
        await Promise.all(wave.map((one) => take(fixture, one)));
      }
      for (const follower of followers) await follower.catchUp();
      const fresh = await Promise.all(viewers.map((name) => follow(people[name], 'modern')));
      for (const [index, { state }] of fresh.entries()) {
        const followed = followers[index]?.state ?? state;
        expect(shown(followed), viewers[index]).toEqual(asFollowed(state, followed));
      }
      await checkLedger(ledger, people.realm.id);
    }),
    { numRuns: isNight ? 100 : 4, endOnFailure: true },
  );
}, 3_600_000);
