import { trimLog } from '@parley/log';
import { describe, expect, test } from 'vitest';

import { type Person, getWorld, realm, say, succeed } from '../../support/index.ts';
import { channelOfMany } from './channel-of-many.ts';

const joinHall = (person: Person) =>
  succeed(person.post('/users/me/subscriptions', { subscriptions: [{ name: 'hall' }] }));
const leaveHall = (person: Person) =>
  succeed(person.delete('/users/me/subscriptions', { subscriptions: ['hall'] }));

/** Who is in the channel by its rows, ascending. */
async function membersByRows(channelId: number): Promise<number[]> {
  const { sql } = await getWorld();
  const rows = await sql<{ id: number }[]>`
    select user_id as id from conversation_members join channels using (conversation_id)
    where channels.id = ${channelId} and is_subscribed order by user_id`;
  return rows.map(({ id }) => id);
}

const membersByAudience = async (asker: Person, id: number): Promise<number[]> =>
  (await succeed(asker.get(`/streams/${id}/members`))).subscribers;

interface Written {
  /** Bytes of the entries about it. */
  entries: number;
  /** Bytes of the audience that it made. */
  audience: number;
}

/** What a join and what leaving writes. */
async function writtenBy(person: Person, change: (person: Person) => Promise<unknown>): Promise<Written> {
  const { sql } = await getWorld();
  const [from] = await sql<{ seq: number; audience: number }[]>`
    select seq, (select max(id) from audiences) as audience from realm_heads where realm_id = ${person.realm.id}`;
  await change(person);
  const [row] = await sql<Written[]>`
    select
      (select sum(octet_length(entry::text)) from event_log
        where realm_id = ${person.realm.id} and seq > ${from?.seq ?? 0})::int as entries,
      (select sum(pg_column_size(a.*)) from audiences a
        where realm_id = ${person.realm.id} and id > ${from?.audience ?? 0})::int as audience`;
  if (!row) throw new Error('Nothing was counted.');
  return row;
}

describe('joining and leaving a large channel', () => {
  test('writes as much as joining and leaving a small one', async () => {
    const [small, large] = [await realm(), await realm()];
    await channelOfMany(small.alice, 600);
    await channelOfMany(large.alice, 6000);
    for (const change of [joinHall, leaveHall]) {
      const few = await writtenBy(small.bob, change);
      const many = await writtenBy(large.bob, change);
      expect(many.entries).toBeLessThan(few.entries + 50);
      expect(many.audience).toBeLessThan(few.audience + 50);
    }
  });

  test('tells whoever joins of all who are there, and from then on of what is said', async () => {
    const { alice, bob, carol } = await realm();
    const { id } = await channelOfMany(alice, 600);
    const listener = await bob.listen({
      event_types: ['subscription', 'message'],
      include_subscribers: 'true',
    });
    await joinHall(carol);
    await say(alice, 'hall', 't', 'before');
    await joinHall(bob);
    const first = await say(alice, 'hall', 't', 'with bob');
    await leaveHall(bob);
    await say(alice, 'hall', 't', 'without bob');
    await joinHall(bob);
    const second = await say(alice, 'hall', 't', 'with bob again');

    const everyone = await membersByRows(id);
    const heard = await listener.hears();
    const added = heard.filter(({ op }) => op === 'add').map((event) => event['subscriptions'][0]);
    expect(added.map(({ subscribers }) => subscribers)).toEqual([everyone, everyone]);
    expect(added.map((subscription) => Object.keys(subscription).includes('subscribers_of'))).toEqual([
      false,
      false,
    ]);
    const messages = heard.filter(({ type }) => type === 'message').map((event) => event['message'].id);
    expect(messages).toEqual([first, second]);
    expect(await membersByAudience(alice, id)).toEqual(everyone);
  });

  test('ends for somebody who was there from the beginning, until they come back', async () => {
    const { alice, bob } = await realm();
    await channelOfMany(alice, 600);
    await joinHall(bob);
    const listener = await alice.listen({ event_types: ['message'] });
    const first = await say(bob, 'hall', 't', 'with alice');
    await leaveHall(alice);
    await say(bob, 'hall', 't', 'without alice');
    await joinHall(alice);
    const second = await say(bob, 'hall', 't', 'with alice again');
    expect((await listener.hears()).map((event) => event['message'].id)).toEqual([first, second]);
  });

  test('is told alike by a node that has read nothing before', async () => {
    const { alice, bob } = await realm();
    const { id } = await channelOfMany(alice, 600);
    const listener = await bob.listen({
      event_types: ['subscription', 'message'],
      include_subscribers: 'true',
    });
    await joinHall(bob);
    await say(alice, 'hall', 't', 'hello');
    const expected = await membersByRows(id);
    await using other = await (await getWorld()).startQueue();
    const params = { queue_id: listener.queueId, last_event_id: listener.lastEventId, dont_block: true };
    const reply = await bob.ask('GET', '/events', params, { port: other.port });
    const [added, message] = reply.body.events.filter(({ op }: { op?: string }) => op !== 'peer_add');
    expect(added.subscriptions[0].subscribers).toEqual(expected);
    expect(message.type).toBe('message');
  });

  test('leaves the audience with exactly those who are subscribed, however many come and go', async () => {
    const { alice, bob, carol, moderator, admin } = await realm();
    const { sql } = await getWorld();
    const { id, crowd } = await channelOfMany(alice, 600);
    const guests = [bob, carol, moderator, admin];
    for (let turn = 0; turn < 24; turn += 1) {
      const person = guests[(turn * 7) % guests.length] ?? bob;
      const isIn = (await membersByRows(id)).includes(person.id);
      await (isIn ? leaveHall(person) : joinHall(person));
      expect(await membersByAudience(alice, id)).toEqual(await membersByRows(id));
    }
    // More than an audience tells as changes.
    const principals = crowd.slice(0, 550);
    await succeed(admin.delete('/users/me/subscriptions', { subscriptions: ['hall'], principals }));
    expect(await membersByAudience(alice, id)).toEqual(await membersByRows(id));
    const [{ size } = { size: 0 }] = await sql<{ size: number }[]>`
      select size from audiences join conversation_heads on audience_id = audiences.id
      join channels using (conversation_id) where channels.id = ${id}`;
    expect(size).toBe((await membersByRows(id)).length);
  });

  test('keeps what later audiences are changes of', async () => {
    const { alice, bob, carol } = await realm();
    const { sql } = await getWorld();
    const { id } = await channelOfMany(alice, 600);
    await joinHall(bob);
    await sql`update audiences set superseded_at = superseded_at - interval '3 hours' where superseded_at is not null`;
    await trimLog(sql);
    await joinHall(carol);
    expect(await membersByAudience(alice, id)).toEqual(await membersByRows(id));
  });

  test('is written for nodes of the version before, too, while they may run', async () => {
    const { alice, bob } = await realm();
    const { sql } = await getWorld();
    const { id } = await channelOfMany(alice, 600);
    await sql`create sequence message_ids as bigint`;
    try {
      const { entries } = await writtenBy(bob, joinHall);
      expect(entries).toBeGreaterThan(600 * 5);
      const [audience] = await sql`
        select members is not null as "isWhole", base_id from audiences join conversation_heads on audience_id = audiences.id
        join channels using (conversation_id) where channels.id = ${id}`;
      expect(audience).toEqual({ isWhole: true, base_id: null });
    } finally {
      await sql`drop sequence message_ids`;
    }
  });
});
