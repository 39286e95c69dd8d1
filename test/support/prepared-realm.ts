import * as actions from '@parley/actions';
import { type Sql, connectSql, decodeMembers, encodeMembers } from '@parley/db';
import { type Engine, createEngine } from '@parley/engine';
import { createLogger, systemClock } from '@parley/kit';
import { type Role, roles } from '@parley/protocol';

/** The realm that each test gets a copy of. It is built by the same actions as any other, once for the whole run. */
export interface PreparedRealm {
  /** No id in any of its tables is greater. */
  idMax: number;
  /** Everyone but guests. */
  memberIds: number[];
}

const name = 'preparedrealm';

/** Who is in every realm. The bot belongs to the owner. */
export const inhabitants = {
  owner: { fullName: 'Olivia', role: roles.owner },
  admin: { fullName: 'Adam', role: roles.administrator },
  moderator: { fullName: 'Mona', role: roles.moderator },
  alice: { fullName: 'Alice', role: roles.member },
  bob: { fullName: 'Bob', role: roles.member },
  carol: { fullName: 'Carol', role: roles.member },
  guest: { fullName: 'Gus', role: roles.guest },
  bot: { fullName: 'Echo', role: roles.member, botType: 1 },
} satisfies Record<string, { fullName: string; role: Role; botType?: number }>;

export type Inhabitant = keyof typeof inhabitants;

export const emailOf = (fullName: string, realmName: string) =>
  `${fullName.toLowerCase().replaceAll(' ', '.')}@${realmName}.example`;

/** Builds the realm in the template database, and a function in it that makes copies. */
export async function prepareRealm(databaseUrl: string): Promise<PreparedRealm> {
  const sql = connectSql({ url: databaseUrl, name: 'test-setup', max: 1 });
  try {
    // Copies are as far from each other as its ids go: its audience leaves none out.
    await sql`select setval('skipped_audience_ids', (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint)`;
    await buildPreparedRealm(databaseUrl);
    await trimLog(sql);
    const [audience, ...others] = await sql<{ members: Uint8Array }[]>`select members from audiences`;
    if (!audience || others.length > 0) throw new Error('A copy can have one audience.');
    return { idMax: await createCopyFunction(sql), memberIds: [...decodeMembers(audience.members)] };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function buildPreparedRealm(databaseUrl: string): Promise<void> {
  await using engine = createEngine({
    databaseUrl,
    name: 'test-setup',
    connectionsMax: 1,
    redis: null,
    secrets: ['unused: nothing is published'],
    clock: systemClock,
    logger: createLogger({ role: 'test', level: 'warn' }),
    partitions: 1,
  });
  await buildRealm(engine, name);
}

/** Creates a realm and everyone in it, one action after the other. */
export async function buildRealm(engine: Engine, realmName: string): Promise<void> {
  const realm = await engine.db.transaction((tx) =>
    actions.realms.create(tx, {
      name: realmName,
      displayName: `The ${realmName}`,
      emailDomain: `${realmName}.invalid`,
    }),
  );
  const host = `${realmName}.localhost`;
  const home = { ...realm, host, emailDomain: host, url: `http://${host}:9991` };
  let ownerId: number | undefined;
  for (const person of Object.values(inhabitants)) {
    const email = emailOf(person.fullName, realmName);
    const owned = 'botType' in person && ownerId !== undefined ? { botOwnerId: ownerId } : {};
    const { user } = await engine.perform(realm.id, actions.users.create, {
      realm: home,
      ...person,
      ...owned,
      email,
    });
    ownerId ??= user.id;
  }
}

/** Copies are realms whose log was trimmed, as any is an hour after it was written. */
async function trimLog(sql: Sql): Promise<void> {
  await sql`delete from event_log`;
  await sql`delete from audiences where id not in (select audience_id from conversation_heads)`;
}

interface Column {
  table: string;
  name: string;
  isId: boolean;
  isText: boolean;
}

/**
 * Moves all rows to a schema of their own, from where `copy_realm` copies them: ids go up by `shift`, and the realm's
 * name becomes another one wherever it stands. What defaults to the time or to something random is made anew. Returns
 * the greatest id.
 */
async function createCopyFunction(sql: Sql): Promise<number> {
  // Each realm counts its messages by itself, so that copies have messages of the same ids.
  const columns = await sql<Column[]>`
    select table_name as table, column_name as name,
      (column_name = 'id' or column_name like '%\\_id') and data_type in ('integer', 'bigint')
        and not (column_name like '%message\\_id' or (table_name = 'messages' and column_name = 'id')) as "isId",
      data_type = 'text' as "isText"
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
      and coalesce(column_default, '') not like '%(%' order by table_name, ordinal_position`;
  await sql`create schema prepared`;
  const tables: string[] = [];
  const inserts: string[] = [];
  let idMax = 0;
  for (const table of new Set(columns.map((column) => column.table))) {
    const rows = await sql`select from ${sql(table)} limit 1`;
    if (rows.length === 0) continue;
    const copied = columns.filter((column) => column.table === table);
    for (const { name: id } of copied.filter(({ isId }) => isId)) {
      const [{ max } = { max: 0 }] = await sql<{ max: number }[]>`
        select coalesce(max(${sql(id)}), 0)::int as max from ${sql(table)}`;
      idMax = Math.max(idMax, max);
    }
    await sql`create table ${sql(`prepared.${table}`)} as table ${sql(table)}`;
    tables.push(table);
    inserts.push(
      `insert into ${table} (${copied.map((column) => column.name).join(', ')}) overriding system value
        select ${copied.map(copyOf).join(', ')} from prepared.${table}`,
    );
  }
  await sql.unsafe(`truncate ${tables.join(', ')} restart identity cascade`);
  // One statement, so that rows may refer to each other in any order.
  const parts = inserts.map((insert, index) => `part_${index} as (${insert})`);
  await sql.unsafe(`
    create function copy_realm(shift int, new_name text, new_members bytea) returns void language sql as $copy$
      with ${parts.join(',\n')} select
    $copy$`);
  return idMax;
}

/** The messages of each copy have ids that pass 2^31 with the fifth, so that nothing takes them for smaller. */
const lastMessageId = 2 ** 31 - 5;

function copyOf({ table, name: column, isId, isText }: Column): string {
  if (table === 'audiences' && column === 'members') return 'new_members';
  if (table === 'realm_heads' && column === 'message_id') return `${lastMessageId}`;
  if (isId) return `${column} + shift`;
  return isText ? `replace(${column}, '${name}', new_name)` : column;
}

/** Makes a copy of the realm. Copies whose shifts differ by more than `idMax` have no id in common. */
export async function copyRealm(
  sql: Sql,
  { memberIds }: PreparedRealm,
  { shift, name: newName }: { shift: number; name: string },
): Promise<void> {
  const members = encodeMembers(memberIds.map((id) => id + shift));
  await sql`select copy_realm(${shift}, ${newName}, ${members})`;
  // As if this server had written it. Otherwise the first entry began a term.
  await sql`
    update realm_heads set term = log_term(epoch)
    where realm_id in (select id from realms where name = ${newName})`;
}
