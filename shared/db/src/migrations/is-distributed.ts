import type { Sql } from 'postgres';

/** The table with which all others of organizations are together: an organization is one row of it. */
export const leadingTable = 'realm_heads';

/** Returns whether tables of the database are divided over several servers. */
export async function isDistributed(sql: Sql): Promise<boolean> {
  const [catalogue] = await sql`
    select to_regclass('pg_catalog.pg_dist_partition') is not null and to_regclass(${leadingTable}) is not null as exists`;
  if (!catalogue?.['exists']) return false;
  const rows = await sql`
    select from pg_dist_partition where logicalrelid = ${leadingTable}::regclass and partmethod = 'h'`;
  return rows.length > 0;
}
