import type { Sql, TransactionSql } from 'postgres';

import { askEverywhere, everywhere } from '../migrations/everywhere.ts';
import { MigrationError } from '../migrations/migration-error.ts';

/**
 * How far apart the ids are that a server draws from a sequence: each of so many servers begins with another number, so
 * that no two ever draw the same.
 */
const serversMax = 64;

/**
 * An organization that has moved goes on with ids above those that it had. So many draws of each server are left out for what
 * is drawn until it has.
 */
const roomOf = (type: string) => (type === 'bigint' ? 100_000 : 100);

/** Only the coordinator draws these, because only there is an organization founded. */
const ofCoordinator = ['realms_id_seq', 'realm_imports_id_seq'];
/** These hold which run of the server has left out ids, and count nothing. */
const marks = ['skipped_ids', 'skipped_audience_ids'];

/** A column that draws ids from a sequence which belongs to it. */
export interface IdentityColumn {
  table: string;
  column: string;
  type: string;
}

/** Returns the columns of tables that draw ids from a sequence which belongs to them. */
export async function listIdentityColumns(sql: Sql, tables: readonly string[]): Promise<IdentityColumn[]> {
  if (tables.length === 0) return [];
  return await sql<IdentityColumn[]>`
    select c.relname as table, a.attname as column, a.atttypid::regtype::text as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and a.attidentity <> '' and not a.attisdropped
      and c.relname in ${sql(tables)}
    order by 1`;
}

/** Lets a column draw its ids from a sequence of that name which is of the server where a row is inserted. */
export async function detachSequence(
  tx: TransactionSql,
  { table, column, type }: IdentityColumn,
): Promise<void> {
  const name = `${table}_${column}_seq`;
  await tx.unsafe(`lock table ${table} in access exclusive mode`);
  const [row] = await tx.unsafe<{ next: string }[]>(
    `select (last_value + is_called::int)::text as next from ${name}`,
  );
  await tx.unsafe(`
    alter table ${table} alter column ${column} drop identity;
    create sequence ${name} as ${type} start with ${row?.next ?? '1'};
    alter table ${table} alter column ${column} set default draw_id('${name}')${type === 'bigint' ? '' : `::${type}`}`);
}

/** A sequence of a server: the number that it drew last, or the one that it is to draw first. */
interface Place {
  last: number;
  isDrawn: boolean;
}

/**
 * Gives each server a sequence of every name, in which it counts in steps of its own, above all that any server has drawn.
 * Doing it again brings all of them above the highest again; those from which nobody has drawn since stay as they are.
 */
export async function alignSequences(sql: Sql): Promise<void> {
  const [row] = await sql<{ servers: number }[]>`
    select count(*)::int as servers from pg_dist_node where noderole = 'primary'`;
  if ((row?.servers ?? 0) > serversMax) {
    throw new MigrationError(`Ids are dealt out to at most ${serversMax} servers, and there are more.`);
  }
  const sequences = await sql<{ name: string; type: string }[]>`
    select sequencename as name, data_type::text as type from pg_sequences
    where schemaname = 'public' and sequencename not in ${sql([...ofCoordinator, ...marks])} order by 1`;
  const created = sequences.map(
    ({ name, type }) => `create sequence if not exists public.${name} as ${type}`,
  );
  const marked = marks.map((name) => `create sequence if not exists public.${name}`);
  await everywhere(sql, [...created, ...marked]);
  const places = sequences.map(
    ({ name }) => `select '${name}' as name, last_value as last, is_called as "isDrawn" from public.${name}`,
  );
  // What pg_sequences says of a sequence, it says only of one that somebody has drawn from since it was set.
  const values = await askEverywhere(
    sql,
    `select coalesce(json_object_agg(name, to_json(p)), '{}') from (${places.join(' union all ')}) p`,
  );
  const known = values.map((value) => JSON.parse(value) as Record<string, Place>);
  const aligned = sequences.flatMap(({ name, type }) => {
    const all = known.flatMap((one) => one[name] ?? []);
    if (areUntouched(all)) return [];
    const last = Math.max(0, ...all.map((place) => place.last));
    const from = (Math.ceil(last / serversMax) + roomOf(type)) * serversMax;
    return [`perform align_sequence('public.${name}', ${from}, ${serversMax})`];
  });
  if (aligned.length > 0) await everywhere(sql, aligned);
}

/** Whether sequences of one name have been dealt out, and nobody has drawn from any of them since. */
function areUntouched(places: readonly Place[]): boolean {
  const rounds = new Set(places.map(({ last }) => Math.floor(last / serversMax)));
  return rounds.size === 1 && !rounds.has(0) && places.every(({ isDrawn }) => !isDrawn);
}
