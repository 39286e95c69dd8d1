import type { Tx } from '@parley/db';
import { sql } from 'drizzle-orm';

export interface Cursor {
  realmId: number;
  seq: number;
  messageId: number;
}

/** What happened after a cursor. */
export interface News {
  cursor: Cursor;
  messageIds: number[];
  /** Users who have read something; null if anybody may have. */
  readerIds: number[] | null;
  deletedIds: number[];
  /** Messages that were edited or moved; null if any may have been. */
  changedIds: number[] | null;
}

interface Row extends Record<string, unknown> {
  seq: number;
  type: string | null;
  message_id: number | null;
  users: number[] | null;
  deleted: number[] | null;
  changed: number[] | null;
}

/** Reads a realm's log after a cursor: at most `entriesMax` entries, up to `headSeq`. */
export async function readNews(tx: Tx, cursor: Cursor, headSeq: number, entriesMax: number): Promise<News> {
  const { realmId, seq } = cursor;
  const last = Math.min(headSeq, seq + entriesMax);
  const rows = await tx.execute<Row>(sql`
    select seq, type, case when type = 'message' then (event #>> '{message,id}')::bigint end as message_id,
      case when type = 'update_message_flags' and event ->> 'flag' = 'read' and event ->> 'op' = 'add'
        then entry #> '{audience,users}' end as users,
      case when type = 'delete_message' then event -> 'message_ids' end as deleted,
      case when type = 'update_message' then event -> 'message_ids' end as changed
    from event_log, lateral (select entry -> 'event' as event, entry #>> '{event,type}' as type) e
    where realm_id = ${realmId} and seq > ${seq} and seq <= ${last} order by seq`);
  // Entries are kept for an hour, messages for longer.
  if (Number(rows[0]?.seq) !== seq + 1) return await readTrimmed(tx, cursor, headSeq, entriesMax);
  const messageIds = [...new Set(rows.flatMap(({ message_id }) => message_id ?? []))];
  return {
    cursor: { realmId, seq: last, messageId: Math.max(cursor.messageId, ...messageIds) },
    messageIds,
    readerIds: [...new Set(rows.flatMap(({ users }) => users ?? []))],
    deletedIds: rows.flatMap(({ deleted }) => deleted ?? []),
    changedIds: rows.flatMap(({ changed }) => changed ?? []),
  };
}

/** After a time in which nobody has read the log, and parts of it have been deleted, the messages are read. */
async function readTrimmed(
  tx: Tx,
  { realmId, seq, messageId }: Cursor,
  headSeq: number,
  entriesMax: number,
): Promise<News> {
  const rows = await tx.execute<{ id: number }>(sql`
    select id from messages where realm_id = ${realmId} and id > ${messageId} order by id limit ${entriesMax}`);
  const messageIds = rows.map(({ id }) => id);
  const isLast = messageIds.length < entriesMax;
  return {
    cursor: { realmId, seq: isLast ? headSeq : seq, messageId: Math.max(messageId, ...messageIds) },
    messageIds,
    readerIds: isLast ? null : [],
    deletedIds: [],
    changedIds: null,
  };
}
