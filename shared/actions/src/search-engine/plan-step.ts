import { type Tx, tables } from '@parley/db';
import { eq, sql } from 'drizzle-orm';

import { readNews } from '../notifications/index.ts';
import type { Advance, EngineCursor } from './cursor.ts';

/** What an engine is to be told next. */
export interface Step {
  cursor: EngineCursor;
  /** How far the engine is once it has these messages as they are, or has them no more. */
  to: Advance;
  ids: number[];
  hasMore: boolean;
}

/** Where a realm has to be begun anew, and since which generation. */
export interface Beginning {
  stale: string | null;
}

/** The most entries and the most older messages of a step. */
const entriesMax = 500;
const olderMax = 500;
/** Messages that no entry tells of: in a history without imports there are none. */
const untoldMax = 2000;

/**
 * Plans the next step by which an engine is fed with a realm: what its log says after its cursor, and then older messages.
 * Null if there is nothing. A realm is begun anew where the log has no longer what the engine lacks, or is another one.
 */
export async function planStep(db: Tx, realmId: number): Promise<Step | Beginning | null> {
  const { searchEngineCursors: cursors, realmHeads: heads } = tables;
  const [row] = await db
    .select({ head: heads, cursor: cursors })
    .from(heads)
    .leftJoin(cursors, eq(cursors.realmId, heads.realmId))
    .where(eq(heads.realmId, realmId));
  if (!row) return null;
  const { head, cursor } = row;
  if (!cursor || cursor.epoch !== head.epoch) return { stale: cursor?.generation ?? null };
  const news = await readChanged(db, cursor, head);
  if (!news) return { stale: cursor.generation };
  const older = await listOlder(db, cursor);
  const filledFrom = older.length < olderMax ? 0 : (older.at(-1) ?? 0);
  const to = { seq: news.seq, messageId: news.messageId, filledFrom };
  const isDone = to.seq === head.seq && to.messageId === head.messageId && filledFrom === 0;
  const isIdle =
    to.seq === cursor.seq && to.messageId === cursor.messageId && filledFrom === cursor.filledFrom;
  if (isIdle) return null;
  return { cursor, to, ids: [...new Set([...news.ids, ...older])], hasMore: !isDone };
}

/** Reads which messages have come or changed since; null where nobody knows. */
async function readChanged(
  db: Tx,
  cursor: EngineCursor,
  head: { seq: number; messageId: number },
): Promise<{ seq: number; messageId: number; ids: number[] } | null> {
  const told = cursor.seq < head.seq ? await readNews(db, cursor, head.seq, entriesMax) : null;
  if (told?.changedIds === null) return null;
  const seq = told?.cursor.seq ?? cursor.seq;
  const messageId = seq === head.seq ? head.messageId : (told?.cursor.messageId ?? cursor.messageId);
  const untold = await db.execute<{ id: number }>(sql`
    select id from messages
    where realm_id = ${cursor.realmId} and id > ${cursor.messageId} and id <= ${messageId} limit ${untoldMax + 1}`);
  if (untold.length > untoldMax) return null;
  const ids = [
    ...untold.map(({ id }) => Number(id)),
    ...(told?.messageIds ?? []),
    ...(told?.changedIds ?? []),
    ...(told?.deletedIds ?? []),
  ];
  return { seq, messageId, ids };
}

/** The ids of messages that were there before, the newest first. */
async function listOlder(db: Tx, { realmId, filledFrom }: EngineCursor): Promise<number[]> {
  if (filledFrom <= 0) return [];
  const rows = await db.execute<{ id: number }>(sql`
    select id from messages where realm_id = ${realmId} and id < ${filledFrom} order by id desc limit ${olderMax}`);
  return rows.map(({ id }) => Number(id));
}
