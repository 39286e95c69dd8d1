import type { Tx } from '@parley/db';
import { sql } from 'drizzle-orm';

import { type SweptRealms, isSwept } from '../../ids.ts';

/**
 * Returns realms in which the words of more than so many messages are not collected: at most `max`, any of them, so that each
 * has its turn wherever there are more.
 */
export async function listRealmsToCollect(
  tx: Tx,
  { messages, realmIds }: { messages: number; realmIds: SweptRealms },
  max: number,
): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(sql`
    select h.realm_id as id from realm_heads h left join search_cursors c on c.realm_id = h.realm_id
    where ${isSwept(sql`h.realm_id`, realmIds)} and h.message_id > coalesce(c.message_id, 0) + ${messages}::bigint order by random() limit ${max}`);
  return rows.map(({ id }) => id);
}

/** Merges into the indexes of a server what waits in their lists: a search looks through these, and a send only adds to them. */
export const mergeSearchIndexes = async (tx: Tx): Promise<void> =>
  void (await tx.execute(sql`select merge_search_indexes()`));

/** Returns realms of which a search engine does not have everything, and that are not put off: at most `max`, any of them. */
export async function listRealmsToFeed(
  tx: Tx,
  { now, realmIds }: { now: Date; realmIds: SweptRealms },
  max: number,
): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(sql`
    select h.realm_id as id from realm_heads h left join search_engine_cursors c on c.realm_id = h.realm_id
    where ${isSwept(sql`h.realm_id`, realmIds)} and (c.realm_id is null or (
      (c.seq < h.seq or c.message_id < h.message_id or c.filled_from > 0 or c.epoch <> h.epoch)
      and coalesce(c.retry_at, '-infinity') <= ${now.toISOString()}::timestamptz
    )) order by random() limit ${max}`);
  return rows.map(({ id }) => id);
}

/** How far a search engine is behind the organizations that it has. */
export interface EngineLag {
  /** Of the realm that it lacks most of: entries of its log. */
  entries: number;
  /** Realms whose older messages it does not have yet. */
  unfilled: number;
}

export async function findEngineLag(tx: Tx): Promise<EngineLag> {
  const [lag] = await tx.execute<{ entries: number; unfilled: number }>(sql`
    select coalesce(max(h.seq - c.seq), 0)::float8 as entries,
      (count(*) filter (where c.realm_id is null or c.filled_from > 0 or c.epoch <> h.epoch))::int as unfilled
    from realm_heads h left join search_engine_cursors c on c.realm_id = h.realm_id`);
  return lag ?? { entries: 0, unfilled: 0 };
}
