import type { Sql } from '@parley/db';
import { Entry } from '@parley/protocol';

/**
 * Reads up to `limit` entries after `afterSeq` from Postgres, in order and without holes: the head row's lock makes an
 * entry visible only after all before it. The first is `afterSeq + 1`, or the log has been trimmed past it.
 */
export async function readLog(sql: Sql, realmId: number, afterSeq: number, limit: number): Promise<Entry[]> {
  const rows = await sql<{ entry: unknown }[]>`
    select entry from event_log where realm_id = ${realmId} and seq > ${afterSeq} order by seq limit ${limit}`;
  return rows.map(({ entry }) => Entry.parse(entry));
}

/** The number of the last entry of a realm's log, with the log's epoch. */
export interface Head {
  realmId: number;
  epoch: string;
  seq: number;
}

export async function readHeads(sql: Sql, realmIds: number[]): Promise<Head[]> {
  return await sql<Head[]>`
    select realm_id as "realmId", epoch::text as epoch, seq from realm_heads where realm_id = any(${realmIds})`;
}
