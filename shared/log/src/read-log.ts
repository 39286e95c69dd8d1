import type { Sql } from '@parley/db';
import { Entry } from '@parley/protocol';

import type { Position } from './position.ts';
import type { SqlServers } from './sql-servers.ts';

/** The most that one read of the log returns. One entry is always returned, however long it is. */
export interface ReadLimits {
  entries: number;
  /** Bytes of the entries' JSON. */
  bytes: number;
}

export interface LogPage {
  entries: Entry[];
  /** There may be more entries after these. */
  hasMore: boolean;
}

/**
 * Reads entries after `afterSeq` from Postgres, in order and without holes: the head row's lock makes an entry visible
 * only after all before it. The first is `afterSeq + 1`, or the log has been trimmed past it.
 */
export async function readLog(
  sql: Sql,
  realmId: number,
  afterSeq: number,
  limits: ReadLimits,
): Promise<LogPage> {
  const rows = await sql<{ entry: unknown; found: number }[]>`
    select entry, found from (
      select seq, entry, bytes, sum(bytes) over (order by seq) - bytes as bytes_before, (count(*) over ())::int as found
      from (
        select seq, entry, bytes from event_log
        where realm_id = ${realmId} and seq > ${afterSeq} order by seq limit ${limits.entries}
      ) next
    ) page where bytes_before + bytes <= ${limits.bytes} or bytes_before = 0 order by seq`;
  const found = rows[0]?.found ?? 0;
  return {
    entries: rows.map(({ entry }) => Entry.parse(entry)),
    hasMore: found === limits.entries || found > rows.length,
  };
}

/** Returns the seq after which the newest entries begin that are within the limits. */
export async function tailStart(
  sql: Sql,
  realmId: number,
  headSeq: number,
  limits: ReadLimits,
): Promise<number> {
  const [tail] = await sql<{ first: number | null }[]>`
    select min(seq)::float8 as first from (
      select seq, sum(bytes) over (order by seq desc) as bytes_since
      from event_log where realm_id = ${realmId} and seq > ${headSeq - limits.entries} and seq <= ${headSeq}
    ) newest where bytes_since <= ${limits.bytes}`;
  return (tail?.first ?? headSeq + 1) - 1;
}

/** The number and the term of the last entry of a realm's log, with the log's epoch. */
export interface Head extends Position {
  realmId: number;
  epoch: string;
}

/**
 * Returns the newest entry of a realm's log, with the log's epoch, and its age in milliseconds: endless if the entry is
 * gone.
 */
export async function readNewest(
  sql: Sql,
  realmId: number,
): Promise<{ seq: number; epoch: string; ageMs: number } | null> {
  const [head] = await sql<{ seq: number; epoch: string; ageMs: number | null }[]>`
    select h.seq, h.epoch::text as epoch, (extract(epoch from clock_timestamp() - l.appended_at) * 1000)::float8 as "ageMs"
      from realm_heads h left join event_log l on l.realm_id = h.realm_id and l.seq = h.seq
      where h.realm_id = ${realmId}`;
  return head ? { ...head, ageMs: head.ageMs ?? 3_600_000 } : null;
}

export async function readHeads(sql: Sql, realmIds: number[]): Promise<Head[]> {
  return await sql<Head[]>`
    select realm_id as "realmId", epoch::text as epoch, seq, term from realm_heads where realm_id = any(${realmIds})`;
}

/** Asks each server for the heads of the realms that it holds. Those of one that does not answer are missing; if none does, it throws. */
export async function readAllHeads(
  servers: Pick<SqlServers, 'byServer'>,
  realmIds: readonly number[],
): Promise<Head[]> {
  const shares = await servers.byServer(realmIds);
  const read = await Promise.allSettled(
    shares.map((share) => share.ask((sql) => readHeads(sql, [...share.realmIds]))),
  );
  const heads = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = read.find((one) => one.status === 'rejected');
  if (failed && heads.length === 0) throw failed.reason;
  return heads.flat();
}

/**
 * Returns the term of the entry with a number, as the log has it: its own, or what the next one says of it; null if both
 * have been trimmed, or are not there yet.
 */
export async function readTerm(sql: Sql, realmId: number, seq: number): Promise<string | null> {
  const [row] = await sql<{ term: string | null }[]>`
    select case when h.seq = ${seq} then h.term else coalesce(
      (
        select coalesce(entry ->> 'term', '') from event_log where realm_id = ${realmId} and seq = ${seq}
      ), (
        select coalesce(entry ->> 'previousTerm', entry ->> 'term', '')
        from event_log where realm_id = ${realmId} and seq = ${seq + 1}
      )
    ) end as term from realm_heads h where h.realm_id = ${realmId}`;
  return row?.term ?? null;
}
