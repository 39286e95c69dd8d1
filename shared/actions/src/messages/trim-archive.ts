import type { Sql } from '@parley/db';

/** Deleted messages can be restored for this long. */
const keptDays = 30;

const deletedPerStatement = 10_000;

/** Removes archived messages that were deleted 30 days ago, in bounded statements. Running it twice at once is safe. */
export async function trimArchive(sql: Sql): Promise<{ messages: number }> {
  for (let deleted = 0; ;) {
    const { count } = await sql`
      delete from archived_messages where (realm_id, id) in (
        select realm_id, id from archived_messages
        where deleted_at < now() - make_interval(days => ${keptDays})
        order by deleted_at limit ${deletedPerStatement}
      )`;
    deleted += count;
    if (count < deletedPerStatement) return { messages: deleted };
  }
}
