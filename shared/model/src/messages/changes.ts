import { type MessageRow, type Tx, tables } from '@parley/db';
import type { EditHistoryEntry } from '@parley/protocol';
import { type SQL, and, asc, eq, getTableColumns, lte, sql } from 'drizzle-orm';

import { bigintArray, isAmong } from '../ids.ts';
import { toSeconds } from '../time.ts';

const { messageEdits } = tables;

/** What one request changed of a message. */
export interface MessageChange {
  at: Date;
  userId: number;
  content?: { prev: string; prevRendered: string };
  move?: {
    prevChannelId: number;
    channelId: number;
    prevTopic: string;
    topic: string;
    isResolving: boolean;
  };
}

/** Returns the edits and moves of messages by message id, oldest first. Messages without any are left out. */
export async function listMessageChanges(
  tx: Tx,
  realmId: number,
  ids: number[],
): Promise<Map<number, MessageChange[]>> {
  const changes = new Map<number, MessageChange[]>();
  if (ids.length === 0) return changes;
  const add = (id: number, change: MessageChange) => {
    const list = changes.get(id);
    if (list) list.push(change);
    else changes.set(id, [change]);
  };
  const [edits, moves] = await Promise.all([listEdits(tx, realmId, ids), listMoves(tx, realmId, ids)]);
  for (const { id, ...change } of edits) add(id, change);
  for (const { ids: moved, ...change } of moves) for (const id of moved) add(id, change);
  return new Map([...changes].map(([id, list]) => [id, merge(list)]));
}

/** Joins the two rows that a request left if it changed both content and topic. They have the same time. */
function merge(list: MessageChange[]): MessageChange[] {
  const merged: MessageChange[] = [];
  for (const change of list) {
    const sameRequest = merged.find(
      (other) =>
        other.at.getTime() === change.at.getTime() &&
        other.userId === change.userId &&
        !(other.content && change.content) &&
        !(other.move && change.move),
    );
    if (sameRequest) Object.assign(sameRequest, change);
    else merged.push({ ...change });
  }
  return merged.sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** Of a message with more text in its history than this, the newest edits are shown. */
const historyBytesMax = 1024 * 1024;

async function listEdits(
  tx: Tx,
  realmId: number,
  ids: number[],
): Promise<(MessageChange & { id: number })[]> {
  const bytesSince = sql<number>`sum(octet_length(${messageEdits.prevContent}) + octet_length(${messageEdits.prevRenderedContent}))
    over (partition by ${messageEdits.messageId} order by ${messageEdits.id} desc)`;
  const edits = tx
    .select({ ...getTableColumns(messageEdits), bytesSince: bytesSince.as('bytes_since') })
    .from(messageEdits)
    .where(and(eq(messageEdits.realmId, realmId), isAmong(messageEdits.messageId, ids)))
    .as('edits');
  const rows = await tx
    .select()
    .from(edits)
    .where(lte(edits.bytesSince, historyBytesMax))
    .orderBy(asc(edits.id));
  return rows.map(({ messageId, userId, editedAt, prevContent, prevRenderedContent }) => ({
    id: messageId,
    userId,
    at: editedAt,
    content: { prev: prevContent, prevRendered: prevRenderedContent },
  }));
}

interface MoveRow extends Record<string, unknown> {
  user_id: number;
  ms: number;
  ids: string;
  prev_channel_id: number;
  channel_id: number;
  prev_topic: string;
  topic: string;
  is_resolving: boolean;
}

/**
 * Returns a condition: the moves are the realm's. It says so twice: their index takes ranges alone, so it has the realm as
 * one, without which the moves of all realms would be looked through for an id; and tables are divided by the number.
 */
export const movesOf = (realmId: number): SQL =>
  sql`realm_id = ${realmId} and int4range(realm_id, realm_id, '[]') @> ${realmId}::int`;

async function listMoves(
  tx: Tx,
  realmId: number,
  ids: number[],
): Promise<(MessageChange & { ids: number[] })[]> {
  const rows = await tx.execute<MoveRow>(sql`
    with page as (select range_agg(int8range(id, id + 1)) as ids from unnest(${bigintArray(ids)}) id)
    select user_id, floor(extract(epoch from moved_at) * 1000)::bigint as ms, (message_ids * page.ids)::text as ids,
      prev_channel_id, channel_id, prev_topic, topic, is_resolving
    from message_moves, page
    where ${movesOf(realmId)} and message_ids && page.ids
    order by id`);
  return rows.map((row) => ({
    ids: parseRanges(row.ids),
    userId: row.user_id,
    at: new Date(Number(row.ms)),
    move: {
      prevChannelId: row.prev_channel_id,
      channelId: row.channel_id,
      prevTopic: row.prev_topic,
      topic: row.topic,
      isResolving: row.is_resolving,
    },
  }));
}

/** The numbers in a multirange, which Postgres writes as `{[1,3),[7,8)}`. */
function parseRanges(text: string): number[] {
  return [...text.matchAll(/\[(\d+),(\d+)\)/g)].flatMap(([, from, to]) =>
    Array.from({ length: Number(to) - Number(from) }, (_, index) => Number(from) + index),
  );
}

/**
 * Returns the name of a message's topic as the message spells it. A topic has one name for all of its messages, but a
 * move may have changed the case for some of them alone.
 */
export const topicSpelling = (name: string, changes: readonly MessageChange[]): string =>
  spelledLike(name, changes.findLast(({ move }) => move)?.move?.topic);

const spelledLike = (name: string, spelled: string | undefined): string =>
  spelled?.toLowerCase() === name.toLowerCase() ? spelled : name;

/** Returns the same of one message, without its edits. */
export async function findTopicSpelling(
  tx: Tx,
  { realmId, id }: Pick<MessageRow, 'realmId' | 'id'>,
  name: string,
): Promise<string> {
  const [move] = await tx.execute<{ topic: string }>(sql`
    select topic from message_moves
    where ${movesOf(realmId)} and message_ids @> ${id}::bigint order by id desc limit 1`);
  return spelledLike(name, move?.topic);
}

export type HistoryPolicy = 'all' | 'moves' | 'none';

/**
 * Returns `edit_history` of a message, newest change first. Changes that the organization does not show are left out.
 */
export function presentMessageChanges(changes: MessageChange[], policy: HistoryPolicy): EditHistoryEntry[] {
  if (policy === 'none') return [];
  return changes
    .filter(({ move }) => policy === 'all' || move)
    .map(({ at, userId, content, move }) => ({
      user_id: userId,
      timestamp: toSeconds(at),
      ...(content &&
        policy === 'all' && {
          prev_content: content.prev,
          prev_rendered_content: content.prevRendered,
        }),
      ...(move &&
        move.prevChannelId !== move.channelId && {
          prev_stream: move.prevChannelId,
          stream: move.channelId,
        }),
      ...(move &&
        move.prevTopic !== move.topic && {
          prev_topic: move.prevTopic,
          topic: move.topic,
        }),
    }))
    .reverse();
}

/** Returns when a message was last moved; undefined if it never was. Resolving its topic is not a move. */
export const lastMovedAt = (changes: MessageChange[]): Date | undefined =>
  changes.findLast(({ move }) => move && !move.isResolving)?.at;
