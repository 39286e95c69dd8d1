import type { Sql } from '@parley/db';

/** As long as somebody may want a deleted message back. */
const keptDays = 30;

const deletedPerStatement = 10_000;

/** Forgets messages that were deleted long ago, in bounded statements. Running it twice at once changes nothing. */
export async function trimArchive(sql: Sql): Promise<{ messages: number }> {
  for (let deleted = 0; ;) {
    const { count } = await sql`
      delete from archived_messages where id = any(array(
        select id from archived_messages
        where deleted_at < now() - make_interval(days => ${keptDays})
        order by deleted_at limit ${deletedPerStatement}
      ))`;
    deleted += count;
    if (count < deletedPerStatement) return { messages: deleted };
  }
}
