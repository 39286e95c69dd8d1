import type { Sql } from '@parley/db';
import { Entry } from '@parley/protocol';

/**
 * Up to `limit` entries after `afterSeq`, ascending, from Postgres. The first is `afterSeq + 1`, or the log has been
 * trimmed past it. Without holes: an entry becomes visible only after all before it (the head row's lock).
 */
export async function readLog(sql: Sql, realmId: number, afterSeq: number, limit: number): Promise<Entry[]> {
  const rows = await sql<{ entry: unknown }[]>`
    select entry from event_log where realm_id = ${realmId} and seq > ${afterSeq} order by seq limit ${limit}`;
  return rows.map(({ entry }) => Entry.parse(entry));
}

export interface Head {
  realmId: number;
  epoch: string;
  seq: number;
}

export async function readHeads(sql: Sql, realmIds: number[]): Promise<Head[]> {
  return await sql<Head[]>`
    select realm_id as "realmId", epoch::text as epoch, seq from realm_heads where realm_id = any(${realmIds})`;
}
