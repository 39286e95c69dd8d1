import type { Sql } from 'postgres';

import { everywhere } from '../migrations/everywhere.ts';
import { readFunctions } from '../migrations/functions.ts';
import { grantFunctions } from '../migrations/grant-functions.ts';
import { isDistributed, leadingTable } from '../migrations/is-distributed.ts';
import { MigrationError } from '../migrations/migration-error.ts';
import { closeAllParts, openParts } from '../migrations/parts.ts';
import { lastMigrationAt } from '../migrations/progress.ts';
import { listMigrations } from '../migrations/read-migrations.ts';
import { grantRights } from '../migrations/roles.ts';
import { type Say, type Session, assertTurn, openSession } from '../migrations/session.ts';
import { placements, replacedTriggers } from './placements.ts';
import { type IdentityColumn, alignSequences, detachSequence, listIdentityColumns } from './sequences.ts';

/** One thing that dividing a database does. It is done or not, and never in part. */
interface DistributionStep {
  what: string;
  /** What it keeps others from meanwhile. */
  locks: string;
}

interface Step extends DistributionStep {
  run(): Promise<void>;
}

export interface DistributeOptions {
  /** Is told what goes on, in lines. */
  say?: Say;
}

/** A foreign key that is kept while its tables are divided. */
interface KeptKey {
  table: string;
  name: string;
  definition: string;
}

/** Settings that each session needs in which statements run on the part of a table that is on a server. */
const databaseSettings: Readonly<Record<string, string>> = {
  // Triggers see rows of one organization, and change others of it, which are on the same server.
  'citus.enable_unsafe_triggers': 'on',
  'citus.allow_nested_distributed_execution': 'on',
  // A transaction writes both what every server has and what one has: one connection to each is enough, and sees all of it.
  'citus.multi_shard_modify_mode': 'sequential',
};

/**
 * Divides the database by organization over the servers of a Citus: each organization is on one of them, with all its rows.
 * It is safe to be killed, and to be run again, which also divides tables that a later migration has made.
 *
 * @throws MigrationError
 */
export async function distribute(
  url: string,
  { say = () => undefined }: DistributeOptions = {},
): Promise<void> {
  await using session = await openSession(url, say);
  await assertDivisible(session.sql);
  await assertNobodyWrites(session.sql);
  await applySettings(session.sql);
  await closeAllParts(session.sql);
  await grantRights(session);
  await runSteps(session, say);
  say('Creating the functions on all servers, and dealing out ids');
  await createFunctions(session.sql);
  await alignSequences(session.sql);
  await grantSequences(session.sql);
  await grantFunctions(session.sql);
  await openParts(session.sql, say);
}

async function runSteps(session: Session, say: Say): Promise<void> {
  for (let steps = await listSteps(session); steps.length > 0; steps = await listSteps(session)) {
    const [step, ...others] = steps;
    say(`${step?.what} (${others.length} more)`);
    await assertTurn(session.sql);
    await step?.run();
  }
}

/** Returns what dividing the database would still do. It changes nothing. @throws MigrationError */
export async function planDistribution(url: string): Promise<DistributionStep[]> {
  await using session = await openSession(url, () => undefined);
  await assertDivisible(session.sql);
  return (await listSteps(session)).map(({ what, locks }) => ({ what, locks }));
}

async function assertDivisible(sql: Sql): Promise<void> {
  const [extension] = await sql`select from pg_extension where extname = 'citus'`;
  if (!extension) {
    throw new MigrationError(
      'The database has no extension Citus: it can only be divided over several servers where Citus is installed, loaded and created on each of them.',
    );
  }
  const newest = (await listMigrations()).at(-1)?.when ?? 0;
  const [journal] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`;
  if (!journal?.['exists'] || (await lastMigrationAt(sql)) < newest) {
    throw new MigrationError('The database lacks migrations. Run `parley migrate --finish` first.');
  }
  const workers = await sql`select from pg_dist_node where noderole = 'primary' and shouldhaveshards`;
  if (workers.length === 0) {
    throw new MigrationError(
      'No server is known to Citus that could hold organizations: add one with citus_add_node.',
    );
  }
  const keys = await sql<{ name: string }[]>`
    select i.indexrelid::regclass::text as name
    from pg_index i join pg_class c on c.oid = i.indrelid
    left join pg_attribute a on a.attrelid = c.oid and a.attname = 'realm_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and i.indisunique
      and c.relname not in ${sql(Object.keys(placements))} and i.indkey[0] is distinct from a.attnum
    order by 1`;
  if (keys.length > 0) {
    throw new MigrationError(
      `Keys do not begin with the organization yet: ${keys.map(({ name }) => name).join(', ')}. Run \`parley migrate --finish\` first, once no node of an older version runs.`,
    );
  }
}

/** Foreign keys are away meanwhile, and who writes to a table that is copied waits until it has been. */
async function assertNobodyWrites(sql: Sql): Promise<void> {
  const nodes = await sql<{ name: string; count: number }[]>`
    select application_name as name, count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name ~ '^parley-(api|queue|worker)' group by 1 order by 1`;
  if (nodes.length === 0 || (await isWhole(sql))) return;
  throw new MigrationError(
    `Nodes are connected: ${nodes.map(({ name, count }) => `${name} (${count})`).join(', ')}. Stop them until the database is divided.`,
  );
}

/** Returns whether the database is divided, and nothing is left of it to do. Without its foreign keys, nodes would write anything. */
async function isWhole(sql: Sql): Promise<boolean> {
  return (await isDistributed(sql)) && (await listKeptKeys(sql)).length === 0;
}

async function listKeptKeys(sql: Sql): Promise<KeptKey[]> {
  const [kept] = await sql`select to_regclass('drizzle.kept_keys') is not null as exists`;
  if (!kept?.['exists']) return [];
  return await sql<KeptKey[]>`select "table", name, definition from drizzle.kept_keys order by 1, 2`;
}

async function applySettings(sql: Sql): Promise<void> {
  const [row] = await sql<{ name: string }[]>`select quote_ident(current_database()) as name`;
  const database = row?.name ?? '';
  const settings = Object.entries(databaseSettings);
  const statements = settings.map(([name, value]) => `alter database ${database} set ${name} = '${value}'`);
  await everywhere(sql, statements);
  for (const [name, value] of settings) await sql.unsafe(`set ${name} = '${value}'`);
  await sql.unsafe(`
    create table if not exists drizzle.kept_keys (
      "table" text not null, name text not null, definition text not null, primary key ("table", name)
    )`);
}

/** Returns what is left to do, in its order. */
async function listSteps({ sql }: Session): Promise<Step[]> {
  const rows = await sql<{ name: string; method: string | null }[]>`
    select c.relname as name, p.partmethod as method
    from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`;
  const divided = new Set(rows.filter(({ method }) => method === 'h').map(({ name }) => name));
  const toDivide = rows.map(({ name }) => name).filter((name) => !(name in placements) && !divided.has(name));
  // The others are put beside the first.
  toDivide.sort((a, b) => Number(b === leadingTable) - Number(a === leadingTable));
  const isKnown = new Set(rows.filter(({ method }) => method === 'n').map(({ name }) => name));
  return [
    ...(await keepKeys(sql, toDivide)),
    ...(await dropTriggers(sql, toDivide)),
    ...(await logTables(sql, toDivide)),
    ...(await listIdentityColumns(sql, toDivide)).map((column) => detach(sql, column)),
    ...Object.entries(placements)
      .filter(([name]) => !isKnown.has(name))
      .map(([name, { on }]) => place(sql, name, on)),
    ...toDivide.map((name) => divide(sql, name)),
    ...(await restoreKeys(sql)),
    ...(await dropRealmKeys(sql)),
  ];
}

/** Citus refers from a table to another only once both are divided. */
async function keepKeys(sql: Sql, toDivide: readonly string[]): Promise<Step[]> {
  if (toDivide.length === 0) return [];
  const keys = await sql<KeptKey[]>`
    select c.conrelid::regclass::text as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conparentid = 0
      and (c.conrelid::regclass::text in ${sql(toDivide)} or c.confrelid::regclass::text in ${sql(toDivide)}
        or c.conrelid::regclass::text in ${sql(Object.keys(placements))})
    order by 1, 2`;
  if (keys.length === 0) return [];
  const run = () =>
    sql.begin(async (tx) => {
      for (const { table, name, definition } of keys) {
        const isKept = table in placements || !refersToRealm.test(definition);
        if (isKept) await tx`insert into drizzle.kept_keys values (${table}, ${name}, ${definition})`;
        await tx.unsafe(`alter table ${table} drop constraint ${name}`);
      }
    });
  return [
    {
      what: `Keeping ${keys.length} foreign keys for later`,
      locks: 'all tables, for a moment',
      run: ended(run),
    },
  ];
}

async function restoreKeys(sql: Sql): Promise<Step[]> {
  const keys = await listKeptKeys(sql);
  return keys.map(({ table, name, definition }) => ({
    what: `Checking and restoring the foreign key ${name} of ${table}`,
    locks: 'writes to both tables',
    run: ended(() =>
      sql.begin(async (tx) => {
        await tx.unsafe(`alter table ${table} add constraint ${name} ${definition}`);
        await tx`delete from drizzle.kept_keys where "table" = ${table} and name = ${name}`;
      }),
    ),
  }));
}

const refersToRealm = /^FOREIGN KEY \(realm_id\) REFERENCES realms\(id\)/;

/**
 * What is divided does not refer to organizations, which each server has all of: whenever a part of a table is dropped that
 * does, because it has moved, nobody on that server may read any organization until that is done, and at the end of a move
 * such keys are checked anew while nobody may write. Organizations do not go: only an import that nobody has reached is
 * removed, with all that it had.
 */
async function dropRealmKeys(sql: Sql): Promise<Step[]> {
  const keys = await sql<{ table: string; name: string }[]>`
    select c.conrelid::regclass::text as table, c.conname as name
    from pg_constraint c join pg_dist_partition p on p.logicalrelid = c.conrelid and p.partmethod = 'h'
    where c.contype = 'f' and c.confrelid = 'realms'::regclass order by 1, 2`;
  return keys.map(({ table, name }) => ({
    what: `Dropping the foreign key ${name} of ${table}: organizations do not go`,
    locks: 'both tables, for a moment',
    run: ended(() => sql.unsafe(`alter table ${table} drop constraint ${name}`)),
  }));
}

async function dropTriggers(sql: Sql, toDivide: readonly string[]): Promise<Step[]> {
  if (toDivide.length === 0) return [];
  const triggers = await sql<{ table: string; name: string }[]>`
    select tgrelid::regclass::text as table, tgname as name from pg_trigger
    where not tgisinternal and tgname in ${sql(replacedTriggers)} and tgrelid::regclass::text in ${sql(toDivide)}`;
  return triggers.map(({ table, name }) => ({
    what: `Dropping the trigger ${name} of ${table}: ids are drawn by each server`,
    locks: 'the table, for a moment',
    run: ended(() => sql.unsafe(`drop trigger ${name} on ${table}`)),
  }));
}

/** What is not in the log of writes cannot be copied to another server while it is written. */
async function logTables(sql: Sql, toDivide: readonly string[]): Promise<Step[]> {
  if (toDivide.length === 0) return [];
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relpersistence = 'u' and relkind = 'r' and relname in ${sql(toDivide)}`;
  return tables.map(({ name }) => ({
    what: `Having ${name} logged, so that it can move while it is written`,
    locks: 'the table, for a moment',
    run: ended(() => sql.unsafe(`alter table ${name} set logged`)),
  }));
}

const detach = (sql: Sql, column: IdentityColumn): Step => ({
  what: `Letting each server draw ids of ${column.table}`,
  locks: 'the table, for a moment',
  run: ended(() => sql.begin((tx) => detachSequence(tx, column))),
});

const place = (sql: Sql, name: string, on: string): Step =>
  on === 'the coordinator'
    ? {
        what: `Making ${name} known to all servers`,
        locks: 'the table, for a moment',
        run: ended(() => sql`select citus_add_local_table_to_metadata(${name}::regclass)`),
      }
    : {
        what: `Copying ${name} to every server`,
        locks: 'writes to the table',
        run: ended(() => sql`select create_reference_table(${name}::regclass)`),
      };

const divide = (sql: Sql, name: string): Step => ({
  what: `Dividing ${name}`,
  locks: 'writes to the table, while it is copied',
  run: ended(async () => {
    const beside = name === leadingTable ? 'none' : leadingTable;
    await sql`select create_distributed_table(${name}::regclass, 'realm_id', colocate_with => ${beside})`;
    // The rows that have been copied are still where they were, and nobody sees them.
    await sql`select truncate_local_data_after_distributing_table(${name}::regclass)`;
  }),
});

const ended = (work: () => Promise<unknown>) => async () => void (await work());

/** Creates the functions again, which Citus then creates on all servers. */
async function createFunctions(sql: Sql): Promise<void> {
  const functions = await readFunctions(true);
  await sql.begin(async (tx) => {
    for (const text of functions) await tx.unsafe(text);
  });
}

/** Lets nodes and readers use the sequences of each server, of which Citus does not know. */
async function grantSequences(sql: Sql): Promise<void> {
  const granted = Object.entries({ parley_node: 'usage, select, update', parley_reader: 'select' });
  const statements = granted.map(
    ([role, privileges]) => `
      if exists (select from pg_roles where rolname = '${role}') then
        grant ${privileges} on all sequences in schema public to ${role};
      end if`,
  );
  await everywhere(sql, statements);
}
