import type { Sql } from '@parley/db';

/** What a database has, by its tables: so many rows, and a sum of all of them. */
export type Digests = ReadonlyMap<string, string>;

/** Columns that say when something was done, or that are drawn: at random, or from a sequence, which a killed process leaves behind. */
const ownColumns = [
  'attachments.released_at',
  'audiences.id',
  'conversation_heads.audience_id',
  'merged_archives.merged_at',
  'realm_heads.epoch',
] as const;

/** Returns what all tables of a database have, but for what two imports never have in common. */
export async function digestsOf(sql: Sql): Promise<Digests> {
  const tables = await sql<{ name: string; columns: string[] }[]>`
    select c.relname as name, array_agg(format('t.%I', a.attname) order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      and not (c.relname || '.' || a.attname = any(${[...ownColumns]}::text[]))
    group by 1 order by 1`;
  const digests = new Map<string, string>();
  for (const { name, columns } of tables) {
    const [row] = await sql.unsafe<{ rows: string; sum: string }[]>(`
      select count(*)::text as rows, coalesce(sum(hashtextextended(row(${columns.join(', ')})::text, 0)), 0)::text as sum
      from only "${name}" t`);
    digests.set(name, `${row?.rows} rows, ${row?.sum}`);
  }
  const [audiences] = await sql<{ sum: string }[]>`
    select coalesce(sum(hashtextextended(row(h.conversation_id, a.members, a.size)::text, 0)), 0)::text as sum
    from conversation_heads h join audiences a on a.id = h.audience_id`;
  return digests.set('audiences of conversations', audiences?.sum ?? '');
}

/** Returns the tables in which two databases differ. */
export const differing = (one: Digests, other: Digests): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
