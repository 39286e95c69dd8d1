import type { Sql } from '@parley/db';
import type { Draft } from '@parley/protocol';

/** What became of one draft. */
export type Appended =
  | { outcome: 'written'; seq: number; messageId: number | null; entry: string }
  | { outcome: 'opening'; seq: number; entry: string }
  | { outcome: 'repeated'; messageId: number }
  | { outcome: 'stale' };

/** A change of a conversation's members, with the audience row that holds them from then on. */
export interface Move {
  conversation: number;
  audience: number;
  joined: number[];
  left: number[];
}

interface Row {
  outcome: Appended['outcome'];
  message_id: number | null;
  seq: number | null;
  entry: string | null;
}

/** The statement around append_to_log: the only way into the log. The entries come back as the text that is published. */
export const appendStatement = `
  select outcome, message_id, (entry ->> 'seq')::bigint as seq, entry::text as entry
  from append_to_log($1::int, $2::text::jsonb, $3::text::jsonb, $4::boolean)`;

export function appendParameters(realmId: number, drafts: Draft[], moves: Move[], keepsRules: boolean) {
  return [realmId, JSON.stringify(drafts), JSON.stringify(moves), keepsRules] as const;
}

export function readAppended(rows: readonly unknown[]): Appended[] {
  return (rows as readonly Row[]).map(({ outcome, message_id, seq, entry }) => {
    if (outcome === 'repeated' && message_id !== null) return { outcome, messageId: message_id };
    if (outcome === 'written' && seq !== null && entry !== null) {
      return { outcome, seq: Number(seq), messageId: message_id, entry };
    }
    if (outcome === 'opening' && seq !== null && entry !== null) return { outcome, seq: Number(seq), entry };
    return { outcome: 'stale' };
  });
}

/** Appends messages in a transaction of their own: one round trip, one commit. */
export async function appendMessages(sql: Sql, realmId: number, drafts: Draft[]): Promise<Appended[]> {
  const rows = await sql.unsafe(appendStatement, [...appendParameters(realmId, drafts, [], true)], {
    prepare: true,
  });
  return readAppended(rows);
}
