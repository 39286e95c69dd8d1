import type { Sql } from '@parley/db';

/** Every live cursor is younger than this: by default a queue idles for at most 10 minutes. */
export const keptMinutes = 60;
/** An audience outlives the last entry that may refer to it. */
const audienceKeptMinutes = 2 * keptMinutes;
const deletedPerStatement = 10_000;

export interface Trimmed {
  entries: number;
  audiences: number;
}

/**
 * Deletes the entries older than an hour, oldest first, and the audiences that no entry refers to any more, in bounded
 * statements. Two runs at once delete the same as one.
 */
export async function trimLog(sql: Sql): Promise<Trimmed> {
  const entries = await untilFewer(
    () => sql`
      delete from event_log where ctid = any(array(
        select ctid from event_log
        where appended_at < now() - make_interval(mins => ${keptMinutes})
        order by appended_at limit ${deletedPerStatement}
      ))`,
  );
  const audiences = await untilFewer(
    () => sql`
      delete from audiences where id = any(array(
        select id from audiences a
        where superseded_at < now() - make_interval(mins => ${audienceKeptMinutes})
          and not exists (select from audiences later where later.base_id = a.id)
        order by superseded_at limit ${deletedPerStatement}
      ))`,
  );
  return { entries, audiences };
}

async function untilFewer(deleteSome: () => Promise<{ count: number }>): Promise<number> {
  for (let deleted = 0; ;) {
    const { count } = await deleteSome();
    deleted += count;
    if (count < deletedPerStatement) return deleted;
  }
}
