import type { Sql } from '@parley/db';
import type { PendingEvent } from '@parley/protocol';

import { appendPlain, isPlain } from './append-plain.ts';

/**
 * The outcome of one pending event: it was written; an opening was written before it; it repeats a message; it would
 * change nothing; or it is stale, because what it was planned under no longer holds.
 */
export type Appended =
  | { outcome: 'written'; seq: number; messageId: number | null; entry: string; trace?: string | undefined }
  | { outcome: 'opening'; seq: number; entry: string }
  | { outcome: 'repeated'; messageId: number }
  | { outcome: 'unchanged' }
  | { outcome: 'stale' };

/** A change of a conversation's members, with the id of the audience row that holds them from then on. */
export interface AudienceChange {
  conversation: number;
  audience: number;
  joined: number[];
  left: number[];
  keepsSubscriptions: boolean;
}

interface Row {
  outcome: Appended['outcome'];
  message_id: number | null;
  seq: number | null;
  entry: string | null;
}

/** The JSON parameters of append_to_log. */
export function appendParameters(events: PendingEvent[], membershipChanges: AudienceChange[]) {
  return { events: JSON.stringify(events), membershipChanges: JSON.stringify(membershipChanges) };
}

/** Parses the rows that append_to_log returns. */
export function readAppended(rows: readonly unknown[]): Appended[] {
  return (rows as readonly Row[]).map(({ outcome, message_id, seq, entry }) => {
    if (outcome === 'repeated' && message_id !== null) return { outcome, messageId: message_id };
    if (outcome === 'written' && seq !== null && entry !== null) {
      return { outcome, seq: Number(seq), messageId: message_id, entry };
    }
    if (outcome === 'opening' && seq !== null && entry !== null) return { outcome, seq: Number(seq), entry };
    return { outcome: outcome === 'unchanged' ? 'unchanged' : 'stale' };
  });
}

/** Appends messages in a transaction of their own: one round trip and one commit. */
export async function appendMessages(
  sql: Sql,
  realmId: number,
  messages: PendingEvent[],
): Promise<Appended[]> {
  if (messages.every(isPlain)) return readAppended(await appendPlain(sql, realmId, messages));
  const { events, membershipChanges } = appendParameters(messages, []);
  return readAppended(
    await sql`
      select * from append_to_log(${realmId}, ${events}::text::jsonb, ${membershipChanges}::text::jsonb, true)`,
  );
}
