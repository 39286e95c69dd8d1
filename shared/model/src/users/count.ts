import { type Tx } from '@parley/db';
import { sql } from 'drizzle-orm';

/** Counts the users of a realm, deactivated ones and bots included, up to `most`. */
export async function countUsers(tx: Tx, realmId: number, most: number): Promise<number> {
  const [row] = await tx.execute<{ count: number }>(
    sql`select count(*)::int as count from (select from users where realm_id = ${realmId} limit ${most}) counted`,
  );
  return row?.count ?? 0;
}
