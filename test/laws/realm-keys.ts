import type { Sql } from '@parley/db';

/** Tables that belong to no organization, and what they are. */
export const ofServers: Readonly<Record<string, string>> = {
  realms: 'the directory: organizations by their names',
  former_realm_names: 'the directory',
  realm_imports: 'the directory: an import chooses the number of its organization',
  loose_folders: 'files of the file store that nothing refers to',
};

/**
 * Returns what keeps tables from being divided by organization, a line each: tables without the column `realm_id`, keys
 * that do not begin with it, and foreign keys between tables of organizations that could lead to another one.
 */
export async function faultsOfKeys(sql: Sql): Promise<string[]> {
  const servers = Object.keys(ofServers);
  const rows = await sql<{ fault: string }[]>`
    with owned as (
      select c.oid, c.relname as name, a.attnum as realm from pg_class c
        left join pg_attribute a on a.attrelid = c.oid and a.attname = 'realm_id' and not a.attisdropped and a.attnotnull
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relname = any(${servers})
    )
    select format('%s has no realm_id', name) as fault from owned where realm is null
    union all
    select format('%s: %s does not begin with realm_id', o.name, i.indexrelid::regclass)
      from owned o join pg_index i on i.indrelid = o.oid
      where i.indisunique and i.indkey[0] is distinct from o.realm
    union all
    select format('%s: %s may lead to another organization', o.name, f.conname)
      from owned o join pg_constraint f on f.conrelid = o.oid and f.contype = 'f'
        join owned p on p.oid = f.confrelid
      where not exists (
        select from unnest(f.conkey, f.confkey) pair (own, other) where pair.own = o.realm and pair.other = p.realm)`;
  return rows.map(({ fault }) => fault).sort();
}
