import { type Sql, isOutOfMessageIds } from '@parley/db';
import { ApiError, type PendingEvent, eventFamilies, events as eventOf, roomsFor } from '@parley/protocol';

import { appendPlain, isPlain } from './append-plain.ts';

/**
 * The outcome of one pending event: it was written; an opening, or room for its ids, was written before it; it repeats a
 * message, in a log of which the head is known; it would change nothing, where the head may be known as well; or it is
 * stale, because what it was planned under no longer holds.
 */
export type Appended =
  | { outcome: 'written'; seq: number; messageId: number | null; entry: string; trace?: string | undefined }
  | { outcome: 'opening'; seq: number; entry: string }
  | { outcome: 'repeated'; messageId: number; seq?: number; known?: string }
  | { outcome: 'unchanged'; seq?: number; known?: string }
  | { outcome: 'stale' };

/** A change of a conversation's members, with the id of the audience row that holds them from then on. */
export interface AudienceChange {
  conversation: number;
  audience: number;
  joined: number[];
  left: number[];
  keepsSubscriptions: boolean;
}

/** A row of append_events or append_plain_messages. */
type Row =
  | { outcome: 'written'; seq: number; message_id: number | null; entry: string }
  | { outcome: 'opening'; seq: number; entry: string }
  | { outcome: 'repeated'; message_id: number; seq: number | null; entry: string | null }
  | { outcome: 'unchanged' | 'stale' };

/** Returns the JSON parameters of append_events. */
export function appendParameters(events: readonly PendingEvent[], membershipChanges: AudienceChange[]) {
  return { events: JSON.stringify(events), membershipChanges: JSON.stringify(membershipChanges) };
}

/** Returns the event with the room that the ids of all that it becomes for any client take. */
export function withRoom(pending: PendingEvent): PendingEvent {
  const count = eventFamilies.get(pending.event.type)?.countMax?.(pending.event) ?? 0;
  const rooms = roomsFor(count);
  return rooms > 0 ? { ...pending, rooms } : pending;
}

/** Appends an entry without an event: its ids are room for heartbeats and ephemeral events. */
export async function appendRoom(sql: Sql, realmId: number): Promise<Appended[]> {
  const { events, membershipChanges } = appendParameters([{ event: eventOf.room({}), users: [] }], []);
  return readAppended(
    await sql`
      select * from append_events(${realmId}, ${events}::text::jsonb, ${membershipChanges}::text::jsonb, true)`,
  );
}

/** Returns the refusal of messages for which a realm has no ids left, and any other error as it is. */
export const refusalOf = (error: unknown): unknown =>
  isOutOfMessageIds(error)
    ? new ApiError('BAD_REQUEST', 'This organization cannot have more messages: their ids are used up.')
    : error;

/** Parses the rows that append_events returns. */
export function readAppended(rows: readonly unknown[]): Appended[] {
  // Safe: the functions return these rows.
  return (rows as readonly Row[]).map((row) => {
    switch (row.outcome) {
      case 'written':
        return { outcome: row.outcome, seq: Number(row.seq), messageId: row.message_id, entry: row.entry };
      case 'opening':
        return { outcome: row.outcome, seq: Number(row.seq), entry: row.entry };
      case 'repeated':
        return {
          outcome: row.outcome,
          messageId: row.message_id,
          ...(row.entry !== null && { seq: Number(row.seq), known: row.entry }),
        };
      default:
        return { outcome: row.outcome };
    }
  });
}

/** Appends messages in a transaction of their own: one round trip and one commit. */
export async function appendMessages(
  sql: Sql,
  realmId: number,
  messages: readonly PendingEvent[],
): Promise<Appended[]> {
  if (messages.every(isPlain)) return readAppended(await appendPlain(sql, realmId, messages));
  const { events, membershipChanges } = appendParameters(messages, []);
  return readAppended(
    await sql`
      select * from append_events(${realmId}, ${events}::text::jsonb, ${membershipChanges}::text::jsonb, true)`,
  );
}
