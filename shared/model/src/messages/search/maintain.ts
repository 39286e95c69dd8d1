import type { Tx } from '@parley/db';
import { sql } from 'drizzle-orm';

/**
 * Returns realms in which the words of more than so many messages are not collected: at most `max`, any of them, so that each
 * has its turn wherever there are more.
 */
export async function listRealmsToCollect(tx: Tx, messages: number, max: number): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(sql`
    select h.realm_id as id from realm_heads h left join search_cursors c on c.realm_id = h.realm_id
    where h.message_id > coalesce(c.message_id, 0) + ${messages}::bigint order by random() limit ${max}`);
  return rows.map(({ id }) => id);
}

/** Merges into the indexes what waits in their lists: a search looks through these, and a send only adds to them. */
export const mergeSearchIndexes = async (tx: Tx): Promise<void> =>
  void (await tx.execute(sql`select merge_search_indexes()`));
