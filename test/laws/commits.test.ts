import * as actions from '@parley/actions';
import { type Tx, decodeMembers } from '@parley/db';
import { createPerformer } from '@parley/engine';
import { type ActionResult, events, to } from '@parley/protocol';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';

import {
  type Person,
  emptyChannel,
  getWorld,
  headOf,
  realm,
  scrape,
  subscribe,
  untilSomebodyWaits,
} from '../support/index.ts';
import { performAdHoc } from '../support/perform-ad-hoc.ts';

const told = () => to.everyone(events.keyRegenerated({}));
/** It was planned before anything that the realm ever had. */
const stale = () => ({ ...told(), rulesVersion: -1 });

async function open() {
  const people = await realm();
  const { engine, sql: query } = await getWorld();
  const published: number[] = [];
  const publisher = {
    publish: (_: number, appended: readonly object[]) => void published.push(appended.length),
  };
  const { id } = people.realm;
  const performer = createPerformer({ db: engine.db, publisher, ephemerals: null, enqueue: () => undefined });
  const count = async (outcome: string) =>
    (await scrape()).of('parley_actions_total', { action: 'tests.adHoc', outcome });
  const first = { committed: await count('committed'), again: await count('again') };
  return {
    ...people,
    published,
    run: <Result extends ActionResult>(action: (tx: Tx) => Promise<Result>) =>
      performAdHoc(performer, id, action),
    rename: (tx: Tx, name: string) =>
      tx.execute(sql`update users set full_name = ${name} where id = ${people.alice.id}`),
    state: async () => {
      const [row] = await query<{ name: string; version: number }[]>`
        select u.full_name as name, h.rules_version::int as version from users u
        join realm_heads h using (realm_id) where u.id = ${people.alice.id}`;
      return { name: row?.name, version: row?.version ?? 0, head: await headOf(id) };
    },
    /** Attempts since it was opened: those that committed, and those that had to run again. */
    attempts: async () => [
      (await count('committed')) - first.committed,
      (await count('again')) - first.again,
    ],
  };
}

test('an action’s rows and events are there together, and its events are published', async () => {
  const { run, rename, state, published, attempts } = await open();
  const before = await state();
  const result = await run(async (tx) => {
    await rename(tx, 'Alicia');
    return { events: [told(), told()], changesRules: true, more: 'of it' };
  });
  expect(result).toEqual({ events: expect.anything(), changesRules: true, more: 'of it', messageIds: [] });
  expect(await state()).toEqual({ name: 'Alicia', version: before.version + 1, head: before.head + 2 });
  expect(published).toEqual([2]);
  expect(await attempts()).toEqual([1, 0]);
});

test('an action that keeps the rules and tells nobody leaves the log as it is', async () => {
  const { run, rename, state, published } = await open();
  const before = await state();
  await run(async (tx) => {
    await rename(tx, 'Alicia');
    return { events: [] };
  });
  expect(await state()).toEqual({ ...before, name: 'Alicia' });
  expect(published).toEqual([0]);
  await run(async () => ({ events: [told()] }));
  expect(await state()).toMatchObject({ version: before.version, head: before.head + 1 });
  await run(async () => ({ events: [], changesRules: true }));
  expect(await state(), 'plans that were made before are void').toMatchObject({
    version: before.version + 1,
    head: before.head + 1,
  });
});

test('an action that only changes who is in a conversation changes its audience', async () => {
  const { run, alice, bob, carol } = await open();
  const { sql: query } = await getWorld();
  await subscribe(alice, 'news', [alice, bob]);
  const [{ id } = { id: 0 }] = await query<{ id: number }[]>`
    select conversation_id::float8 as id from channels
    where realm_id = ${alice.realm.id} and name = 'news'`;
  const audience = async () => {
    const [row] = await query<{ members: Uint8Array; size: number }[]>`
      select a.members, a.size from conversation_heads h join audiences a on a.id = h.audience_id
      where h.conversation_id = ${id}`;
    return row && { members: [...decodeMembers(row.members)], size: row.size };
  };
  const isSubscribed = async () => {
    const [row] = await query<{ is: boolean }[]>`
      select is_subscribed as is from conversation_members
      where conversation_id = ${id} and user_id = ${bob.id}`;
    return row?.is;
  };
  expect(await audience()).toEqual({ members: [alice.id, bob.id], size: 2 });
  expect(await isSubscribed()).toBe(true);
  await run(async () => ({
    events: [],
    memberships: [{ conversationId: id, joined: [carol.id], left: [bob.id] }],
  }));
  expect(await audience()).toEqual({ members: [alice.id, carol.id], size: 2 });
  expect(await isSubscribed()).toBe(false);
});

test('a user who joins a conversation that nobody was in is its audience', async () => {
  const { run, alice, carol } = await open();
  const { sql: query } = await getWorld();
  await subscribe(alice, 'news', [alice]);
  const [{ id } = { id: 0 }] = await query<{ id: number }[]>`
    update conversation_heads set audience_id = null from channels c
    where c.realm_id = ${alice.realm.id} and c.name = 'news' and c.conversation_id = conversation_heads.conversation_id
    returning c.conversation_id::float8 as id`;
  await run(async () => ({
    events: [],
    memberships: [{ conversationId: id, joined: [carol.id], left: [] }],
  }));
  const [row] = await query<{ members: Uint8Array; size: number }[]>`
    select a.members, a.size from conversation_heads h join audiences a on a.id = h.audience_id
    where h.conversation_id = ${id}`;
  expect(row && { members: [...decodeMembers(row.members)], size: row.size }).toEqual({
    members: [carol.id],
    size: 1,
  });
});

test('an event that would tell nothing new has no message', async () => {
  const { run, alice, state } = await open();
  const { sql: query } = await getWorld();
  await subscribe(alice, 'news', [alice]);
  const [channel] = await query<{ channelId: number; conversationId: number }[]>`
    select id as "channelId", conversation_id::float8 as "conversationId" from channels
    where realm_id = ${alice.realm.id} and name = 'news'`;
  if (!channel) throw new Error('The channel is not there.');
  const refreshing = async () => ({
    events: [{ ...told(), refreshesFirstMessage: channel }],
  });
  await run(refreshing);
  const before = await state();
  expect((await run(refreshing)).messageIds).toEqual([]);
  expect(await state()).toEqual(before);
});

test('an event that would tell nothing new takes no place, and is no reason to run again', async () => {
  const { run, state, published, attempts, alice } = await open();
  const channelId = await emptyChannel(alice, 'empty');
  const { sql: query } = await getWorld();
  const [{ id: conversationId } = { id: 0 }] = await query<{ id: number }[]>`
    select conversation_id::float8 as id from channels where id = ${channelId}`;
  const before = await state();
  const [done = 0, again = 0] = await attempts();
  const same = { ...told(), refreshesFirstMessage: { conversationId, channelId } };
  expect(await run(async () => ({ events: [same, told()], changesRules: true }))).toMatchObject({
    messageIds: [],
  });
  expect((await state()).head).toBe(before.head + 1);
  expect([published, await attempts()]).toEqual([[2], [done + 1, again]]);
});

test('an action that throws is undone, and not run again', async () => {
  const { run, rename, state, published, attempts } = await open();
  const before = await state();
  let runs = 0;
  const failing = run(async (tx) => {
    runs += 1;
    await rename(tx, 'Nobody');
    throw new Error('never mind');
  });
  await expect(failing).rejects.toThrow('never mind');
  expect([runs, await state(), published, await attempts()]).toEqual([1, before, [], [0, 0]]);
});

test('an action that stays stale is given up after eight attempts, each of them undone', async () => {
  const { run, rename, state, published, attempts } = await open();
  const before = await state();
  let runs = 0;
  const stuck = run(async (tx) => {
    runs += 1;
    await rename(tx, 'Nobody');
    return { events: [told(), stale()], changesRules: true };
  });
  await expect(stuck).rejects.toMatchObject({ code: 'SERVER_NOT_READY', reason: 'conflicts' });
  expect([runs, await state(), published, await attempts()]).toEqual([8, before, [], [0, 8]]);
});

test.each(['40P01', '40001'])('an action that another was in the way of (%s) is run again', async (code) => {
  const { run, state, attempts } = await open();
  const before = await state();
  let runs = 0;
  await run(async (tx) => {
    runs += 1;
    if (runs === 1)
      await tx.execute(sql.raw(`do $$ begin raise exception 'x' using errcode = '${code}'; end $$`));
    return { events: [told()], changesRules: true };
  });
  expect([runs, (await state()).head, await attempts()]).toEqual([2, before.head + 1, [1, 1]]);
});

test('actions run beside each other at first, and one that runs again has its realm to itself', async () => {
  const { run } = await open();
  const order: string[] = [];
  let [otherBegins, runs] = [() => {}, 0];
  const otherHasBegun = new Promise<void>((resolve) => (otherBegins = resolve));
  let later: Promise<unknown> | undefined;
  const again = run(async () => {
    runs += 1;
    if (runs === 1) {
      // It would wait for ever if the other could not begin.
      await otherHasBegun;
      return { events: [stale()], changesRules: true };
    }
    later = run(async () => {
      order.push('later');
      return { events: [told()], changesRules: true };
    });
    await Promise.race([untilSomebodyWaits('advisory', 1), later]);
    order.push('again');
    return { events: [told()], changesRules: true };
  });
  const beside = run(async () => {
    otherBegins();
    order.push('beside');
    return { events: [told()], changesRules: true };
  });
  await Promise.all([again, beside]);
  await later;
  // The later one may have begun under the rules that the one before it ended.
  expect([[...new Set(order)], runs]).toEqual([['beside', 'again', 'later'], 2]);
});

/** A message that an action sends. */
async function messageOf(from: Person, localId: string) {
  const { engine } = await getWorld();
  const plan = await actions.messages.planSend(
    engine.db,
    from.realm.id,
    async () => from.actor,
    actions.messages.parseRecipient({ type: 'direct', users: [from.id] }),
  );
  const echo = { queueId: 'queue', localId };
  const text = { content: 'x', client: 'test', readBySender: true, echo };
  const pending = actions.messages.plainMessage(await actions.messages.prepare(plan, text));
  if (!pending) throw new Error('The message is not a plain one.');
  const { rulesVersion: _, ...event } = pending;
  return event;
}

test('an action that repeats a message is undone, and answered with the first one', async () => {
  const { run, rename, state, alice, attempts } = await open();
  const first = await run(async () => ({
    events: [told(), await messageOf(alice, '1')],
    changesRules: true,
  }));
  expect(first.messageIds).toEqual([expect.any(Number)]);
  const before = await state();
  const repeated = await run(async (tx) => {
    await rename(tx, 'Nobody');
    return { events: [await messageOf(alice, '1')], changesRules: true, more: 'of it' };
  });
  expect(repeated).toMatchObject({ messageIds: first.messageIds, more: 'of it' });
  expect(await state()).toEqual(before);
  const others = await run(async () => ({
    events: [await messageOf(alice, '2'), told(), await messageOf(alice, '3')],
    changesRules: true,
  }));
  const [{ messageIds }, last = 0] = [others, first.messageIds[0]];
  expect(messageIds).toEqual([last + 1, last + 2]);
  expect(await attempts(), 'the one that was answered with the first among them').toEqual([3, 0]);
});

test('an action of a realm that does not exist fails', async () => {
  const { engine } = await getWorld();
  const nowhere = performAdHoc(engine, 2_000_000_033, async () => ({ events: [], changesRules: true }));
  await expect(nowhere).rejects.toThrow('The realm has no log.');
});
