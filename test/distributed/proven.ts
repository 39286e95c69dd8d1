import { connectSql } from '@parley/db';
import type { DistributedPostgres } from '@parley/infra';

/** Files of tests that hold on a divided database as well. */
export const proven: readonly string[] = [
  'test/events/following/following',
  'test/events/following/changed-messages',
  'test/laws/endpoints/reads',
  'test/api/messages/send',
];

/** How many organizations a server holds. */
export interface Divided {
  server: string;
  organizations: number;
}

/** Counts the organizations on each server, as that server sees them. */
export async function readDivided({ workers }: DistributedPostgres): Promise<Divided[]> {
  const divided: Divided[] = [];
  for (const [at, { url }] of workers.entries()) {
    const sql = connectSql({ url, name: 'distributed', max: 1 });
    const shards = await sql<{ name: string }[]>`
      select c.relname as name from pg_class c
      where c.relkind = 'r' and c.relname ~ '^realm_heads_[0-9]+$' and c.relnamespace = 'public'::regnamespace`.catch(
      () => [],
    );
    let organizations = 0;
    for (const { name } of shards) {
      const [row] = await sql<{ count: number }[]>`select count(*)::int as count from ${sql(name)}`;
      organizations += row?.count ?? 0;
    }
    await sql.end({ timeout: 5 });
    divided.push({ server: `worker ${at + 1}`, organizations });
  }
  return divided;
}
