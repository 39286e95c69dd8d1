import type { TransactionSql } from 'postgres';

import { type Session, assertTurn } from './session.ts';

interface Rights {
  role: string;
  schema: string;
  objects: keyof typeof kinds;
  privileges: readonly string[];
}

/** Where Postgres keeps the objects of a kind, and what answers whether a role has a privilege on one. */
const kinds = {
  tables: {
    list: `select oid, relowner as owner from pg_class where relkind in ('r', 'p') and relnamespace = $1::regnamespace`,
    has: 'has_table_privilege',
    name: 'regclass',
  },
  sequences: {
    list: `select oid, relowner as owner from pg_class where relkind = 'S' and relnamespace = $1::regnamespace`,
    has: 'has_sequence_privilege',
    name: 'regclass',
  },
  functions: {
    list: `select oid, proowner as owner from pg_proc where prokind = 'f' and pronamespace = $1::regnamespace`,
    has: 'has_function_privilege',
    name: 'regprocedure',
  },
} as const;

const [nodes, readers] = ['parley_node', 'parley_reader'];
const data = 'public';
/** Migrations and how far they are. */
const journal = 'drizzle';

/** What the lesser roles may do, where an operator has made them: nodes change rows, readers read them. */
const rights: readonly Rights[] = [
  { role: nodes, schema: data, objects: 'tables', privileges: ['select', 'insert', 'update', 'delete'] },
  { role: nodes, schema: data, objects: 'sequences', privileges: ['usage', 'select', 'update'] },
  { role: nodes, schema: data, objects: 'functions', privileges: ['execute'] },
  { role: nodes, schema: journal, objects: 'tables', privileges: ['select'] },
  { role: readers, schema: data, objects: 'tables', privileges: ['select'] },
  { role: readers, schema: data, objects: 'sequences', privileges: ['select'] },
  { role: readers, schema: journal, objects: 'tables', privileges: ['select'] },
];

/**
 * Grants the lesser roles that there are what they may do: on what is there, and on what is created from now on, because
 * nodes use that while a migration goes on. What has been granted is not granted again: each grant makes every session
 * plan its statements anew.
 */
export async function grantRights({ sql }: Session): Promise<void> {
  const found = await sql<{ role: string }[]>`
    select rolname as role from pg_roles where rolname in ${sql([nodes, readers])} and rolname <> current_user`;
  const roles = new Set(found.map(({ role }) => role));
  await sql.begin(async (tx) => {
    await assertTurn(tx);
    for (const right of rights.filter(({ role }) => roles.has(role))) await grant(tx, right);
  });
}

async function grant(tx: TransactionSql, { role, schema, objects, privileges }: Rights): Promise<void> {
  const { list, has, name } = kinds[objects];
  await tx.unsafe(`grant usage on schema ${schema} to ${role}`);
  const granted = privileges.join(', ');
  await tx.unsafe(`alter default privileges in schema ${schema} grant ${granted} on ${objects} to ${role}`);
  const lacking = await tx.unsafe<{ name: string }[]>(
    `select oid::${name}::text as name from (${list}) as object
      where pg_has_role(owner, 'usage')
        and exists (select from unnest($2::text[]) privilege where not ${has}($3::name, oid, privilege))`,
    [schema, [...privileges], role],
  );
  if (lacking.length === 0) return;
  const named = lacking.map((one) => one.name).join(', ');
  await tx.unsafe(`grant ${granted} on ${objects.slice(0, -1)} ${named} to ${role}`);
}
