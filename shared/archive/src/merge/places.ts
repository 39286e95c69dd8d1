import type { Sql } from '@parley/db';

import { type Writing, inTransaction } from '../read/writing.ts';
import type { Growth } from './growth.ts';
import type { TopicHere } from './message-numbers.ts';
import type { Structure } from './structure.ts';

/** Where the messages of a conversation of the archive stand: after so many others of a conversation here. */
export interface Place {
  conversationId: number;
  after: number;
}

/** Conversations that are made in one transaction. */
const placesPerStep = 200;
/** Topics and members that are written with one statement. */
const rowsPerStep = 5000;

interface Making {
  importId: number;
  realmId: number;
  structure: Structure;
  growth: Growth;
}

type UserOf = (id: number) => number | undefined;

/** A conversation of the archive, and its last ordinal. */
type Counted = readonly [id: number, count: number];

/**
 * Makes the conversations in which the messages of an archive stand; once, however often the import is gone on with. What was
 * written in a channel gets a conversation of its own, as if it had been moved there, so that nothing is inserted among what
 * people have read; a direct conversation is the one of its people, and what the archive has of it counts as read.
 */
export async function makePlaces(sql: Sql, making: Making, userOf: UserOf): Promise<Map<number, Place>> {
  const { importId, structure } = making;
  const [row] = await sql<{ places: Record<string, Place> | null }[]>`
    select places from realm_imports where id = ${importId}`;
  const places = new Map(Object.entries(row?.places ?? {}).map(([id, place]) => [Number(id), place]));
  const wanted = [...structure.heads].filter(([id, count]) => count > 0 && !places.has(id));
  const ofChannels = new Set([...structure.channels.values()].map((one) => one.conversationId));
  const histories = wanted.filter(([id]) => ofChannels.has(id));
  const directs = wanted.filter(([id]) => structure.directs.has(id));
  const add = (made: ReadonlyMap<number, Place>) => {
    for (const [id, place] of made) places.set(id, place);
  };
  for (const some of inSteps(histories)) add(await makeHistories(sql, making, some, userOf));
  for (const some of inSteps(directs)) add(await addToDirects(sql, making, some, userOf));
  return places;
}

const inSteps = (all: readonly Counted[]): (readonly Counted[])[] =>
  Array.from({ length: Math.ceil(all.length / placesPerStep) }, (_, step) =>
    all.slice(step * placesPerStep, (step + 1) * placesPerStep),
  );

/** Records what was made, in the transaction that makes it. */
const record = async (tx: Writing, importId: number, made: ReadonlyMap<number, Place>) => {
  await tx`
    update realm_imports set places = coalesce(places, '{}') || ${JSON.stringify(Object.fromEntries(made))}::text::jsonb
    where id = ${importId}`;
};

async function makeHistories(
  sql: Sql,
  { importId, realmId, structure }: Making,
  some: readonly Counted[],
  userOf: UserOf,
): Promise<Map<number, Place>> {
  return await inTransaction(sql, async (tx) => {
    const made = new Map<number, Place>();
    for (const [id, count] of some) {
      const conversationId = await makeHistory(tx, realmId, count);
      await addReaders(tx, realmId, conversationId, structure, id, userOf);
      made.set(id, { conversationId, after: 0 });
    }
    await record(tx, importId, made);
    return made;
  });
}

/**
 * Makes room at the ends of direct conversations, for messages that all of their people have read. Nobody sends meanwhile: it
 * takes two statements, however many conversations there are.
 */
async function addToDirects(
  sql: Sql,
  { importId, realmId, structure, growth }: Making,
  some: readonly Counted[],
  userOf: UserOf,
): Promise<Map<number, Place>> {
  const conversations = new Map<number, number>();
  const totals = new Map<number, number>();
  for (const [id, count] of some) {
    const people = new Set((structure.directs.get(id) ?? []).flatMap((user) => userOf(user) ?? []));
    const here = await growth.ensureDirectConversation([...people].sort((a, b) => a - b));
    conversations.set(id, here);
    totals.set(here, (totals.get(here) ?? 0) + count);
  }
  return await inTransaction(sql, async (tx) => {
    // Whoever appends reads the last ordinals under this lock.
    await tx`select from realm_heads where realm_id = ${realmId} for update`;
    const rows = await tx<{ id: number; after: number }[]>`
      with wanted (id, count) as (select * from unnest(${[...totals.keys()]}::bigint[], ${[...totals.values()]}::bigint[])),
      heads as (
        update conversation_heads h set ordinal = h.ordinal + w.count from wanted w
        where h.realm_id = ${realmId} and h.conversation_id = w.id
        returning w.id, h.ordinal - w.count as after, h.ordinal as last
      ), members as (
        update conversation_members m set
          received = m.received + int8multirange(int8range(h.after + 1, h.last + 1)),
          read = m.read + int8multirange(int8range(h.after + 1, h.last + 1))
        from heads h where m.realm_id = ${realmId} and m.conversation_id = h.id
      )
      select id, after from heads`;
    const next = new Map(rows.map(({ id, after }) => [Number(id), Number(after)]));
    const made = new Map<number, Place>();
    for (const [id, count] of some) {
      const conversationId = conversations.get(id) ?? 0;
      const after = next.get(conversationId) ?? 0;
      made.set(id, { conversationId, after });
      next.set(conversationId, after + count);
    }
    await record(tx, importId, made);
    return made;
  });
}

async function makeHistory(tx: Writing, realmId: number, count: number): Promise<number> {
  const [made] = await tx<{ id: number }[]>`
    insert into conversations (realm_id) values (${realmId}) returning id`;
  if (!made) throw new Error('An insert returned no row.');
  await tx`select create_conversation_head(${realmId}, ${made.id})`;
  await tx`
    update conversation_heads set ordinal = ${count}
    where realm_id = ${realmId} and conversation_id = ${made.id}`;
  return made.id;
}

/** Writes down who received what was written in a channel, and that it is read. */
async function addReaders(
  tx: Writing,
  realmId: number,
  conversationId: number,
  { members, heads }: Structure,
  archived: number,
  userOf: UserOf,
): Promise<void> {
  const last = heads.get(archived) ?? 0;
  const readers = new Map<number, string>();
  for (const { userId, received } of members.get(archived) ?? []) {
    const here = userOf(userId);
    if (here !== undefined) readers.set(here, received);
  }
  const rows = [...readers];
  for (let start = 0; start < rows.length; start += rowsPerStep) {
    const some = rows.slice(start, start + rowsPerStep);
    await tx`
      insert into conversation_members (realm_id, conversation_id, user_id, is_subscribed, was_subscribed, received, read)
      select ${realmId}::int, ${conversationId}, user_id, false, false, heard, heard from (
        select user_id, received::int8multirange * int8multirange(int8range(1, ${last + 1}::bigint)) as heard
        from unnest(${some.map(([id]) => id)}::int[], ${some.map(([, received]) => received)}::text[]) t (user_id, received)
      ) r`;
  }
}

/**
 * Returns the topics of an archive here, made where they are missing. One whose earlier messages are in another topic of its
 * channel is that one: it may have been renamed here, or at its source.
 */
export async function makeTopics(
  sql: Sql,
  realmId: number,
  structure: Structure,
  channelOf: (id: number) => number | undefined,
  known: ReadonlyMap<number, TopicHere>,
): Promise<Map<number, number>> {
  const topics = new Map<number, number>();
  const wanted = [...structure.topics].flatMap(([id, { channelId, name }]) => {
    const here = channelOf(channelId);
    if (here === undefined) return [];
    const earlier = known.get(id);
    if (earlier?.channelId !== here) return [{ id, channel: here, name }];
    topics.set(id, earlier.id);
    return [];
  });
  for (let start = 0; start < wanted.length; start += rowsPerStep) {
    const some = wanted.slice(start, start + rowsPerStep);
    const columns = [
      some.map(({ id }) => id),
      some.map(({ channel }) => channel),
      some.map(({ name }) => name),
    ] as const;
    await inTransaction(sql, async (tx) => {
      await tx`
        insert into topics (realm_id, channel_id, name)
        select distinct on (channel_id, lower(name)) ${realmId}::int, channel_id, name
        from unnest(${columns[1]}::int[], ${columns[2]}::text[]) t (channel_id, name)
        on conflict (realm_id, channel_id, lower(name)) do nothing`;
      const found = await tx<{ archived: number; id: number }[]>`
        select t.archived, o.id from unnest(${columns[0]}::bigint[], ${columns[1]}::int[], ${columns[2]}::text[]) t (archived, channel_id, name)
        join topics o on o.realm_id = ${realmId} and o.channel_id = t.channel_id and lower(o.name) = lower(t.name)`;
      for (const { archived, id } of found) topics.set(Number(archived), Number(id));
    });
  }
  return topics;
}
