import type { Person } from './person.ts';
import { getWorld } from './world.ts';

/** What no reply says: how things lie in Postgres. */

/** The number of rows of every table. */
export async function countRows(): Promise<Record<string, number>> {
  const { sql } = await getWorld();
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' order by 1`;
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await sql<{ count: number }[]>`select count(*) from ${sql(name)}`;
      return [name, Number(row?.count)] as const;
    }),
  );
  return Object.fromEntries(counts);
}

/** The text of a deleted message, as long as the archive has it. */
export async function archivedContent(
  { realm }: Pick<Person, 'realm'>,
  messageId: number,
): Promise<string | undefined> {
  const { sql } = await getWorld();
  const [row] = await sql<{ content: string }[]>`
    select message ->> 'content' as content from archived_messages
    where realm_id = ${realm.id} and id = ${messageId}`;
  return row?.content;
}

/** The place of a message in the conversation that it was sent to. */
export async function ordinalOf(
  { realm }: Pick<Person, 'realm'>,
  messageId: number,
): Promise<number | undefined> {
  const { sql } = await getWorld();
  const [row] = await sql<{ ordinal: number }[]>`
    select ordinal from messages where realm_id = ${realm.id} and id = ${messageId}`;
  return row && Number(row.ordinal);
}

/** How many messages lie in a channel. */
export async function countMessages(channelId: number): Promise<number> {
  const { sql } = await getWorld();
  return (await sql`select from messages where channel_id = ${channelId}`).length;
}

/** The rows of messages, with the transaction that last wrote each. */
export async function versionsOf(
  { realm }: Pick<Person, 'realm'>,
  messageIds: readonly number[],
): Promise<object[]> {
  const { sql } = await getWorld();
  return await sql`
    select id, ordinal, conversation_id, topic_id, xmin from messages
    where realm_id = ${realm.id} and id = any(${[...messageIds]}) order by id`;
}

/** Which messages went along with one, by every move of it, as ranges of ids. */
export async function movesOf({ realm }: Pick<Person, 'realm'>, messageId: number): Promise<string[]> {
  const { sql } = await getWorld();
  const rows = await sql<{ ids: string }[]>`
    select message_ids::text as ids from message_moves
    where realm_id = ${realm.id} and message_ids @> ${messageId}::bigint`;
  return rows.map(({ ids }) => ids);
}

/** The HTML that is stored of a message. */
export async function storedHtml(
  { realm }: Pick<Person, 'realm'>,
  messageId: number,
): Promise<string | undefined> {
  const { sql } = await getWorld();
  const [row] = await sql<{ html: string }[]>`
    select rendered_content as html from messages
    where realm_id = ${realm.id} and id = ${messageId}`;
  return row?.html;
}

/** How many rows hold flags of a message, or of a person. */
export async function countFlags(of: { person: Person; messageId?: number }): Promise<number> {
  const { sql } = await getWorld();
  const { person, messageId } = of;
  const rows =
    messageId === undefined
      ? await sql`select from message_flags where user_id = ${person.id}`
      : await sql`
          select from message_flags where realm_id = ${person.realm.id} and message_id = ${messageId}`;
  return rows.length;
}

/** What a person has read, in each conversation of which they have read anything, as ranges of ordinals. */
export async function readRangesOf({ id }: Person): Promise<string[]> {
  const { sql } = await getWorld();
  const rows = await sql<{ read: string }[]>`
    select read::text as read from conversation_members where user_id = ${id} and read <> '{}'`;
  return rows.map(({ read }) => read).sort();
}

/** How many rows of read ranges and of messages a piece of work writes. */
export async function countReadingWrites(
  work: () => Promise<unknown>,
): Promise<{ members: number; messages: number }> {
  const { sql } = await getWorld();
  const [{ now } = { now: 0 }] = await sql<{ now: number }[]>`select txid_current()::text::int as now`;
  await work();
  const [written = { members: 0, messages: 0 }] = await sql<{ members: number; messages: number }[]>`
    select (select count(*)::int from conversation_members where xmin::text::bigint > ${now}) as members,
      (select count(*)::int from messages where xmin::text::bigint > ${now}) as messages`;
  return { ...written };
}

/** Folders of files, below a path, that wait for the sweep. */
export async function foldersToSweep(path: string): Promise<string[]> {
  const { sql } = await getWorld();
  const rows = await sql<{ folder: string }[]>`
    select folder from loose_folders where folder like ${`${path}/%`} order by folder`;
  return rows.map(({ folder }) => folder);
}

/** A folder whose upload a node has not finished: the sweep may take it in a day. */
export async function addUnfinishedFolder(folder: string): Promise<void> {
  const { sql } = await getWorld();
  await sql`insert into loose_folders values (${folder}, now() + interval '1 day')`;
}

/** How many references of messages to files lead nowhere. */
export async function countDanglingReferences(): Promise<number> {
  const { sql } = await getWorld();
  const rows = await sql`
    select from message_attachments r left join attachments a on a.id = r.attachment_id where a.id is null`;
  return rows.length;
}

/** As if a message had referred to each upload of the realm until so many weeks ago. */
export async function releaseUploads(realmId: number, weeksAgo: number): Promise<void> {
  const { sql } = await getWorld();
  await sql`
    update attachments set created_at = now() - interval '10 weeks',
      released_at = now() - make_interval(weeks => ${weeksAgo}) where realm_id = ${realmId}`;
  await sql`
    delete from message_attachments where attachment_id in (select id from attachments where realm_id = ${realmId})`;
}

/** How often a person's key was made, from 1. */
export async function keyGenerationOf({ id }: Person): Promise<number | undefined> {
  const { sql } = await getWorld();
  const [row] = await sql<{ generation: number }[]>`
    select key_generation as generation from users where id = ${id}`;
  return row?.generation;
}

/** The day on which a person last did anything, as `2026-11-20`. */
export async function lastActiveDayOf({ id }: Person): Promise<string | undefined> {
  const { sql } = await getWorld();
  const [row] = await sql<{ day: string }[]>`select last_active_on::text as day from users where id = ${id}`;
  return row?.day;
}

/** Whether a text stands anywhere in the log. */
export async function isInLog(text: string): Promise<boolean> {
  const { sql } = await getWorld();
  return (await sql`select from event_log where event_log::text like ${`%${text}%`}`).length > 0;
}

/** Whether previews of a message's links are still to be made. */
export async function arePreviewsDue({ realm }: Pick<Person, 'realm'>, messageId: number): Promise<boolean> {
  const { sql } = await getWorld();
  const rows = await sql`
    select from messages where realm_id = ${realm.id} and id = ${messageId} and previews_due_at is not null`;
  return rows.length === 1;
}

/** The pages whose previews are kept for a realm. */
export async function previewedUrls(realmId: number): Promise<string[]> {
  const { sql } = await getWorld();
  const rows = await sql<{ url: string }[]>`select url from link_previews where realm_id = ${realmId}`;
  return rows.map(({ url }) => url);
}
