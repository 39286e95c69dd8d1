import type { Sql } from '@parley/db';

import { type Writing, inTransaction } from '../read/writing.ts';
import type { Growth } from './growth.ts';
import type { Structure } from './structure.ts';

/** Where the messages of a conversation of the archive stand: after so many others of a conversation here. */
export interface Place {
  conversationId: number;
  after: number;
}

/** Topics and members that are written with one statement. */
const rowsPerStep = 5000;

/**
 * Makes the conversations in which the messages of an archive stand; once, however often the import is gone on with. What was
 * written in a channel gets a conversation of its own, as if it had been moved there, so that nothing is inserted among what
 * people have read; a direct conversation is the one of its people, and what the archive has of it counts as read.
 */
export async function makePlaces(
  sql: Sql,
  {
    importId,
    realmId,
    structure,
    growth,
  }: { importId: number; realmId: number; structure: Structure; growth: Growth },
  userOf: (id: number) => number | undefined,
): Promise<Map<number, Place>> {
  const people = new Map<number, number>();
  for (const [id, archived] of structure.directs) {
    const here = new Set(archived.flatMap((user) => userOf(user) ?? []));
    people.set(id, await growth.ensureDirectConversation([...here].sort((a, b) => a - b)));
  }
  return await inTransaction(sql, async (tx) => {
    const [row] = await tx<{ places: Record<string, Place> | null }[]>`
      select places from realm_imports where id = ${importId} for update`;
    if (row?.places) return new Map(Object.entries(row.places).map(([id, place]) => [Number(id), place]));
    // Whoever appends reads the last ordinals under this lock.
    await tx`select from realm_heads where realm_id = ${realmId} for update`;
    const places = new Map<number, Place>();
    for (const [id, count] of structure.heads) {
      if (count === 0) continue;
      const direct = people.get(id);
      const isOfChannel = [...structure.channels.values()].some((one) => one.conversationId === id);
      if (direct !== undefined) places.set(id, await addToDirect(tx, direct, count));
      else if (isOfChannel)
        places.set(id, { conversationId: await makeHistory(tx, realmId, count), after: 0 });
    }
    for (const [id, { conversationId }] of places) {
      if (people.has(id)) continue;
      await addReaders(tx, conversationId, structure, id, userOf);
    }
    await tx`
      update realm_imports set places = ${JSON.stringify(Object.fromEntries(places))}::text::jsonb where id = ${importId}`;
    return places;
  });
}

/** Makes room at the end of a direct conversation, for messages that all of its people have read. */
async function addToDirect(tx: Writing, conversationId: number, count: number): Promise<Place> {
  const [head] = await tx<{ after: number }[]>`
    update conversation_heads set ordinal = ordinal + ${count}
    where conversation_id = ${conversationId} returning ordinal - ${count}::bigint as after`;
  const after = Number(head?.after ?? 0);
  await tx`
    update conversation_members set
      received = received + int8multirange(int8range(${after + 1}::bigint, ${after + count + 1}::bigint)),
      read = read + int8multirange(int8range(${after + 1}::bigint, ${after + count + 1}::bigint))
    where conversation_id = ${conversationId}`;
  return { conversationId, after };
}

async function makeHistory(tx: Writing, realmId: number, count: number): Promise<number> {
  const [made] = await tx<{ id: number }[]>`
    insert into conversations (realm_id) values (${realmId}) returning id`;
  if (!made) throw new Error('An insert returned no row.');
  await tx`select create_conversation_head(${realmId}, ${made.id})`;
  await tx`update conversation_heads set ordinal = ${count} where conversation_id = ${made.id}`;
  return made.id;
}

/** Writes down who received what was written in a channel, and that it is read. */
async function addReaders(
  tx: Writing,
  conversationId: number,
  { members, heads }: Structure,
  archived: number,
  userOf: (id: number) => number | undefined,
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
      insert into conversation_members (conversation_id, user_id, is_subscribed, was_subscribed, received, read)
      select ${conversationId}, user_id, false, false, heard, heard from (
        select user_id, received::int8multirange * int8multirange(int8range(1, ${last + 1}::bigint)) as heard
        from unnest(${some.map(([id]) => id)}::int[], ${some.map(([, received]) => received)}::text[]) t (user_id, received)
      ) r`;
  }
}

/** Returns the topics of an archive here, made where they are missing. */
export async function makeTopics(
  sql: Sql,
  structure: Structure,
  channelOf: (id: number) => number | undefined,
): Promise<Map<number, number>> {
  const wanted = [...structure.topics].flatMap(([id, { channelId, name }]) => {
    const here = channelOf(channelId);
    return here === undefined ? [] : [{ id, channel: here, name }];
  });
  const topics = new Map<number, number>();
  for (let start = 0; start < wanted.length; start += rowsPerStep) {
    const some = wanted.slice(start, start + rowsPerStep);
    const columns = [
      some.map(({ id }) => id),
      some.map(({ channel }) => channel),
      some.map(({ name }) => name),
    ] as const;
    await inTransaction(sql, async (tx) => {
      await tx`
        insert into topics (channel_id, name)
        select distinct on (channel_id, lower(name)) channel_id, name
        from unnest(${columns[1]}::int[], ${columns[2]}::text[]) t (channel_id, name)
        on conflict (channel_id, lower(name)) do nothing`;
      const found = await tx<{ archived: number; id: number }[]>`
        select t.archived, o.id from unnest(${columns[0]}::bigint[], ${columns[1]}::int[], ${columns[2]}::text[]) t (archived, channel_id, name)
        join topics o on o.channel_id = t.channel_id and lower(o.name) = lower(t.name)`;
      for (const { archived, id } of found) topics.set(Number(archived), Number(id));
    });
  }
  return topics;
}
