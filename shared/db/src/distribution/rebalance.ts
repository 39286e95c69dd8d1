import type { Sql } from 'postgres';

import { leadingTable } from '../migrations/is-distributed.ts';
import { openAfterwards, openParts } from '../migrations/parts.ts';
import { type Say, openSession } from '../migrations/session.ts';
import { type ShardMove, moveShard } from './move-shard.ts';
import { assertDistributed } from './servers.ts';

/** A move of organizations, which share a part of the tables, from one server to another. */
export interface RebalanceMove {
  organizations: number;
  bytes: number;
  from: string;
  to: string;
}

type PlannedMove = RebalanceMove & ShardMove;

export interface RebalanceOptions {
  say?: Say;
  /** No move begins after so long. */
  limitMs: number;
}

/** Returns the moves after which the servers would hold about as much, as Citus plans them. @throws MigrationError */
export async function planRebalance(url: string): Promise<RebalanceMove[]> {
  await using session = await openSession(url, () => undefined);
  await assertDistributed(session.sql);
  return (await listMoves(session.sql)).map(({ organizations, bytes, from, to }) => ({
    organizations,
    bytes,
    from,
    to,
  }));
}

/**
 * Moves organizations until the servers hold about as much, one move after the other, each while people use them. Killed, it
 * has done each move or not; run again, it plans anew and does what is left. Returns how many moves it made, and how many are
 * left when the time is over.
 *
 * @throws MigrationError for a database that is not divided
 */
export async function rebalance(
  url: string,
  { say = () => undefined, limitMs }: RebalanceOptions,
): Promise<{ moved: number; left: number }> {
  await using session = await openSession(url, say);
  const { sql } = session;
  await assertDistributed(sql);
  const startedMs = performance.now();
  let moved = 0;
  let moves = await listMoves(sql);
  for (const most = moves.length; moves.length > 0 && moved < most;) {
    if (performance.now() - startedMs >= limitMs) break;
    const [move] = moves;
    if (!move) break;
    const size = `${Math.ceil(move.bytes / 2 ** 20)} MiB`;
    say(
      `Moving from ${move.from} to ${move.to}: organizations ${move.organizations}, ${size}; moves behind it: ${moves.length - 1}`,
    );
    await openAfterwards(sql, say, () => moveShard(session, move, say));
    moved += 1;
    moves = await listMoves(sql);
  }
  // A command that was killed at the end of the last move has left a part closed.
  if (moved === 0) await openParts(sql, say);
  return { moved, left: moves.length };
}

/** Asks Citus what it would move. It lists each table of a part, which move together. */
async function listMoves(sql: Sql): Promise<PlannedMove[]> {
  return await sql<PlannedMove[]>`
    with planned as (select * from get_rebalance_table_shards_plan())
    select l.shardid::text as shard, l.sourcename as "fromHost", l.sourceport as "fromPort", l.targetname as "toHost",
      l.targetport as "toPort", l.sourcename || ':' || l.sourceport as "from", l.targetname || ':' || l.targetport as "to",
      (select count(*)::int from realms where get_shard_id_for_distribution_column(${leadingTable}, id) = l.shardid)
        as organizations,
      (select coalesce(sum(t.shard_size), 0)::float8 from planned t
        join pg_dist_shard s on s.shardid = t.shardid
        where s.shardminvalue = own.shardminvalue and s.shardmaxvalue = own.shardmaxvalue) as bytes
    from planned l join pg_dist_shard own on own.shardid = l.shardid
    where l.table_name = ${leadingTable}::regclass
    order by organizations, l.shardid`;
}
