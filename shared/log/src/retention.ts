import type { Sql } from '@parley/db';

/** Every live cursor is younger than this: a queue idles for at most 10 minutes by default. */
const keptMinutes = 60;
const deletedPerStatement = 10_000;

/**
 * Deletes entries older than an hour, oldest first, in bounded statements, and audiences that nothing refers to any
 * more. Returns how many entries were deleted. Running it twice at once changes nothing.
 */
export async function trimLog(sql: Sql): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { count } = await sql`
      delete from event_log where ctid = any(array(
        select ctid from event_log
        where appended_at < now() - make_interval(mins => ${keptMinutes})
        order by appended_at limit ${deletedPerStatement}
      ))`;
    deleted += count;
    if (count < deletedPerStatement) return deleted;
  }
}
