import type { Sql } from '@parley/db';
import { type Redis, keys } from '@parley/redis';

/** A realm's log: where it ends, and what is kept of it. */
export interface LogHead {
  realmId: number;
  realm: string;
  epoch: string;
  /** The number of the last entry; 0 of a log that has none. */
  seq: number;
  /** How many of the last entries are kept. */
  kept: number;
  /** When the oldest of them was appended. */
  oldestAt: Date | null;
}

/** Returns the log of one realm, or of all. */
export async function readLogHeads(sql: Sql, realmId?: number): Promise<LogHead[]> {
  // The log has no holes, so that its ends say how many entries there are. Of several servers, only that of the realm is asked.
  const ofRealm = realmId === undefined ? sql`h.realm_id` : sql`${realmId}`;
  return await sql<LogHead[]>`
    select h.realm_id as "realmId", r.name as realm, h.epoch::text as epoch, h.seq,
      coalesce(h.seq - oldest.seq + 1, 0)::int as kept, oldest.appended_at as "oldestAt"
    from realm_heads h
    join realms r on r.id = h.realm_id
    left join lateral (
      select seq, appended_at from event_log where realm_id = ${ofRealm} order by seq limit 1
    ) oldest on true
    where h.realm_id = ${ofRealm}
    order by h.realm_id`;
}

/** The stream of one partition, beside the log that it carries. */
export interface StreamEnd {
  partition: number;
  /** Entries in the stream. */
  length: number;
  /** The newest entry of the partition's logs in Postgres. */
  newest: { realmId: number; seq: number };
  /** Whether the stream carries it. */
  isCarried: boolean;
}

/** How far the end of a stream is looked at for the newest entry: those of a moment arrive in any order. */
const lookedAt = 1000;

/**
 * Returns whether the streams in Redis carry what the log in Postgres ends with. Partitions without any entry are left
 * out.
 */
export async function readStreamEnds(sql: Sql, redis: Redis, partitions: number): Promise<StreamEnd[]> {
  const newest = await sql<{ partition: number; realmId: number; seq: number }[]>`
    select distinct on (partition) partition, "realmId", seq from (
      select h.realm_id % ${partitions}::int as partition, h.realm_id as "realmId", h.seq,
        e.appended_at as "appendedAt"
      from realm_heads h join event_log e on e.realm_id = h.realm_id and e.seq = h.seq
    ) newest order by partition, "appendedAt" desc`;
  return await Promise.all(
    newest.map(async ({ partition, ...entry }) => {
      const key = keys.log(partition);
      const [length, last] = await Promise.all([
        redis.xlen(key),
        redis.xrevrange(key, '+', '-', 'COUNT', lookedAt),
      ]);
      const isCarried = last.some(
        ([, [, realmId, , seq]]) => Number(realmId) === entry.realmId && Number(seq) === entry.seq,
      );
      return { partition, length, newest: entry, isCarried };
    }),
  );
}
