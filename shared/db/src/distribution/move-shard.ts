import { closePart } from '../migrations/parts.ts';
import type { Say, Session } from '../migrations/session.ts';
import { followWrites } from './follow-writes.ts';
import { alignSequences } from './sequences.ts';

/** A move of a part of the tables from one server to another. */
export interface ShardMove {
  shard: string;
  fromHost: string;
  fromPort: number;
  toHost: string;
  toPort: number;
}

/** Moves a part of the tables while it is used, and leaves it closed: see parts.ts. What its organizations draw afterwards is above what they drew before. */
export async function moveShard(
  session: Session,
  { shard, fromHost, fromPort, toHost, toPort }: ShardMove,
  say: Say,
): Promise<void> {
  const { sql } = session;
  // A server that was added lacks what every server has, until something moves to it.
  await sql`select replicate_reference_tables(shard_transfer_mode => 'auto')`;
  await alignSequences(sql);
  await closePart(sql, shard);
  await followWrites(
    session,
    say,
    () => sql`
      select citus_move_shard_placement(
        ${shard}::bigint, ${fromHost}, ${fromPort}, ${toHost}, ${toPort}, shard_transfer_mode => 'auto')`,
  );
  await alignSequences(sql);
}
