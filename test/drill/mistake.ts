import { openSql } from '../upgrade/fill-archive.ts';
import type { Kept } from './backup-tool.ts';

/** A mistake that a server has acknowledged: somebody deletes messages by a statement of their own. */
export interface Mistake {
  /** The moment before, as a server takes it. */
  before: string;
  beforeMs: number;
  /** The organization that has most messages, and the ids of those that were deleted. */
  realmId: number;
  messageIds: number[];
}

const deletedMax = 500;
/** Commits of before and after it have other times. */
const apart = '20 milliseconds';

/** Deletes messages of a server. */
export async function makeMistake({ postgres, say }: Kept): Promise<Mistake> {
  const sql = openSql(postgres.url);
  try {
    const [moment] = await sql<{ text: string; ms: number }[]>`
      select now()::text as text, (extract(epoch from now()) * 1000)::float8 as ms`;
    if (!moment) throw new Error('The server does not know the time.');
    await sql`select pg_sleep_for(${apart}::interval)`;
    const deleted = await sql<{ realmId: number; id: number }[]>`
      with largest as (select realm_id from messages group by 1 order by count(*) desc limit 1),
        first as (select realm_id, id from messages join largest using (realm_id) order by id limit ${deletedMax})
      delete from messages where (realm_id, id) in (table first) returning realm_id as "realmId", id::float8`;
    say(`Somebody deletes ${deleted.length} messages by mistake.`);
    return {
      before: moment.text,
      beforeMs: moment.ms,
      realmId: deleted[0]?.realmId ?? 0,
      messageIds: deleted.map(({ id }) => id),
    };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Returns how many of the messages are there again. */
export async function countBack(url: string, { realmId, messageIds }: Mistake): Promise<number> {
  const sql = openSql(url);
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from messages where realm_id = ${realmId} and id = any(${messageIds}::bigint[])`;
  await sql.end({ timeout: 5 });
  return row?.count ?? 0;
}
