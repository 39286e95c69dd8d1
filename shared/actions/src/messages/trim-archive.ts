import type { Sql } from '@parley/db';
import type { SweptRealms } from '@parley/model';

/** Deleted messages can be restored for this long. */
const keptDays = 30;

const deletedPerStatement = 10_000;

/**
 * Removes archived messages of some realms, or of all, that were deleted 30 days ago, in bounded statements. Running it twice
 * at once is safe.
 */
export async function trimArchive(sql: Sql, realmIds: SweptRealms): Promise<number> {
  const isSwept = (column: string) =>
    realmIds === null ? sql`true` : sql`${sql(column)} = any(${[...realmIds]}::int[])`;
  for (let deleted = 0; ;) {
    const { count } = await sql`
      delete from archived_messages a where ${isSwept('a.realm_id')} and (realm_id, id) in (
        select realm_id, id from archived_messages
        where ${isSwept('realm_id')} and deleted_at < now() - make_interval(days => ${keptDays})
        order by deleted_at limit ${deletedPerStatement}
      )`;
    deleted += count;
    if (count < deletedPerStatement) return deleted;
  }
}
