import type { Sql } from './connect.ts';

/** A server that receives what this one writes. Roles without the rights of `pg_monitor` see none. */
interface Replica {
  name: string;
  /** How it takes part in commits: `sync`, `quorum`, `potential` or `async`. */
  state: string;
  /** What it has not replayed yet. */
  lagBytes: number;
  lagSeconds: number;
}

export const listReplicas = (sql: Sql): Promise<Replica[]> => sql<Replica[]>`
  select application_name as name, coalesce(sync_state, 'unknown') as state,
    pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 as "lagBytes",
    coalesce(extract(epoch from replay_lag), 0)::float8 as "lagSeconds"
  from pg_stat_replication
  where not pg_is_in_recovery() and replay_lsn is not null`;

/** Sessions that wait for locks: for the head of a realm's log, with which every append begins, or for anything else. */
interface LockWaits {
  lock: 'log' | 'other';
  sessions: number;
  /** How long the one has waited that waits longest. */
  longestSeconds: number;
}

export const listLockWaits = (sql: Sql): Promise<LockWaits[]> => sql<LockWaits[]>`
  select kind.lock, count(waiting.pid)::int as sessions, coalesce(max(waiting.seconds), 0)::float8 as "longestSeconds"
  from (values ('log'), ('other')) kind (lock)
  left join (
    select l.pid, extract(epoch from clock_timestamp() - min(l.waitstart)) as seconds,
      case when bool_or(a.query ~* '\\mappend_(events|plain_messages|messages|to_log)\\M') then 'log' else 'other' end as lock
    from pg_locks l
    join pg_stat_activity a on a.pid = l.pid and a.datname = current_database()
    where not l.granted
    group by l.pid
  ) waiting using (lock)
  group by kind.lock`;

/** Connections of all programs to the server, and how many it takes. */
export async function readConnections(sql: Sql): Promise<{ used: number; max: number }> {
  const [row] = await sql<{ used: number; max: number }[]>`
    select (select sum(numbackends)::int from pg_stat_database) as used,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max`;
  return row ?? { used: 0, max: 0 };
}

/** Numbers that are drawn, and which part of them is left, from 0 to 1; `messages` and `events` are those of the realm that has most. */
interface IdsLeft {
  ids: string;
  left: number;
}

/** Beyond it JSON numbers are not exact. */
const idMax = 2 ** 53;

export const listIdsLeft = (sql: Sql): Promise<IdsLeft[]> => sql<IdsLeft[]>`
  select sequencename as ids, 1 - coalesce(last_value, 0)::float8 / least(max_value, ${idMax}::bigint) as left
  from pg_sequences where schemaname = 'public'
  union all
  select numbers.ids, 1 - numbers.last::float8 / ${idMax}
  from (select coalesce(max(message_id), 0) as message, coalesce(max(seq), 0) as event from realm_heads) heads,
    lateral (values ('messages', heads.message), ('events', heads.event)) numbers (ids, last)`;

/** The realm that has most of something, as the planner's statistics have it, which follow within minutes to hours. */
interface LargestRealm {
  of: 'messages' | 'users';
  rows: number;
}

export const listLargestRealms = (sql: Sql): Promise<LargestRealm[]> => sql<LargestRealm[]>`
  select s.tablename as "of", (s.most_common_freqs[1] * c.reltuples)::float8 as rows
  from pg_stats s
  join pg_class c on c.oid = format('%I.%I', s.schemaname, s.tablename)::regclass
  where s.schemaname = 'public' and s.tablename in ('messages', 'users') and s.attname = 'realm_id'
    and s.most_common_freqs is not null`;

/** A server on which nobody works writes no more than this, and does not archive it. */
const idleBytes = 4096;

/** Returns for how many seconds the archive has lacked what was written since. Null where Postgres does not archive. */
export async function readArchiveAge(sql: Sql): Promise<number | null> {
  // The name of a segment has its place in the write-ahead log: the high half in its second eight digits, the segment in
  // its last. Other files that are archived begin with the name of one, or are the history of a server that took over.
  const [row] = await sql<{ seconds: number }[]>`
    with archiver as (
      select coalesce(last_archived_time, stats_reset, pg_postmaster_start_time()) as at,
        case when last_archived_wal ~ '^[0-9A-F]{24}' then
          ('x' || substr(last_archived_wal, 9, 8))::bit(32)::bigint * 4294967296
            + (('x' || substr(last_archived_wal, 17, 8))::bit(32)::bigint + 1)
              * pg_size_bytes(current_setting('wal_segment_size'))
        else 0 end as until
      from pg_stat_archiver
      where current_setting('archive_mode') <> 'off' and not pg_is_in_recovery()
    )
    select case when pg_current_wal_lsn() - '0/0' - until > ${idleBytes}
      then greatest(0, extract(epoch from clock_timestamp() - at))::float8 else 0 end as seconds
    from archiver`;
  return row?.seconds ?? null;
}
