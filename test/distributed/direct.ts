import {
  type Sql,
  closePart,
  connectSql,
  isDatabaseUnavailable,
  listServers,
  migrate,
  moveRealm,
  openParts,
  partSchema,
} from '@parley/db';
import type { DistributedPostgres } from '@parley/infra';
import { createLogger, pause, sum } from '@parley/kit';
import { Servers, createDatabaseWatch } from '@parley/log';

import { type Organization, createOrganizations, findPort } from './organizations.ts';

export interface DirectReport {
  /** How many parts of the tables are open, and how many there are. */
  open: number;
  parts: number;
  /** How many rows were written directly while the organization was moved and the tables were migrated. */
  written: number;
  /** What should not have been, in words. */
  anomalies: string[];
}

/** So long a transaction lasts that is closed upon. */
const transactionMs = 500;
/** So long is written before and after each move. */
const aroundMs = 300;
/** So long a process may take an organization to be where it was: much less than it remembers where one is. */
const noticedMs = 3000;

/**
 * Writes to the part of the tables of an organization without asking Citus, while that part is closed, opened and moved, by
 * the command and by hand.
 */
export async function writeDirectly(
  servers: DistributedPostgres,
  { isBroken, say }: { isBroken: boolean; say: (line: string) => void },
): Promise<DirectReport> {
  const backends = {
    databaseUrl: servers.url,
    redisUrl: '',
    secret: 'a secret of a proof that nobody reads',
  };
  const [organization] = await createOrganizations(backends, servers, 1, 'direct');
  if (!organization) throw new Error('There is no organization.');
  const anomalies: string[] = [];
  anomalies.push(...(await findClosed(servers.url)));
  say('  A transaction, and the end of its part');
  anomalies.push(...(await closeUnderTransaction(servers, organization)));
  anomalies.push(...(await findHalf(servers, organization)));
  say('  What every server has');
  anomalies.push(...(await writeEverywhere(servers, organization)));
  if (isBroken) await removeGuards(servers);
  say('  A move by hand');
  const byHand = await whileWritten(servers, organization, async () => {
    const refusal = await refusalOf(moveByHand(servers, organization));
    if (!refusal?.includes('are written to without Citus'))
      anomalies.push('a part was moved by hand while it was open');
  });
  say('  A move by the command');
  const target = servers.workers.find(({ port }) => port !== organization.port);
  const byCommand = await whileWritten(servers, organization, async () => {
    const { realmId } = organization;
    const isNoticed = await noticesMove(servers, organization, () =>
      moveRealm(servers.url, { realmId, to: `127.0.0.1:${target?.port}` }),
    );
    if (!isNoticed) anomalies.push(`a process had not noticed a move after ${noticedMs} ms`);
  });
  say('  A migration');
  const migrated = await whileWritten(servers, organization, () => migrate(servers.url, { finishes: true }));
  anomalies.push(...(await findClosed(servers.url)).map((closed) => `${closed} after a migration`));
  for (const { written, found } of [byHand, byCommand, migrated]) {
    if (found !== written) anomalies.push(`${written - found} of ${written} rows are lost`);
  }
  anomalies.push(...(await findStrays(servers)));
  const written = sum([byHand, byCommand, migrated].map((one) => one.written));
  return { ...(await countParts(servers.url)), written, anomalies };
}

/** Says in words how it went. */
export const describeDirect = ({ open, parts, written, anomalies }: DirectReport): string =>
  `${open} of ${parts} parts of the tables are open, ${written} rows were written to one while it was moved and migrated: ${anomalies.join('; ') || '0 lost'}.`;

/** Connects to the server that holds an organization, as nodes do. */
async function connectDirectly(
  servers: DistributedPostgres,
  { realmId }: Organization,
): Promise<{ sql: Sql; part: string; shard: string; end: () => Promise<void> }> {
  const shard = await findShard(servers.url, realmId);
  const port = await findPort(servers.url, realmId);
  const url = Object.assign(new URL(servers.url), { port: String(port) }).href;
  const client = connectSql({ url, name: 'distributed', max: 1 });
  const part = `${partSchema}${shard}`;
  return { sql: client.searching(part), part, shard, end: () => client.end({ timeout: 5 }) };
}

/** Returns the number of the part of the leading table that has an organization. */
export async function findShard(url: string, realmId: number): Promise<string> {
  return await asking(url, async (sql) => {
    const [row] = await sql<{ shard: string }[]>`
      select get_shard_id_for_distribution_column('realm_heads', ${realmId}::int)::text as shard`;
    return row?.shard ?? '';
  });
}

/** Closes a part while a transaction writes to it: nobody may take it for closed before that has ended. */
async function closeUnderTransaction(
  servers: DistributedPostgres,
  organization: Organization,
): Promise<string[]> {
  const anomalies: string[] = [];
  const { sql, part, shard, end } = await connectDirectly(servers, organization);
  let isClosed = false;
  let closing: Promise<void> | undefined;
  await sql.begin(async (tx) => {
    await tx`insert into realm_locks (realm_id, name) values (${organization.realmId}, 'before')`;
    closing = asking(servers.url, (one) => closePart(one, shard)).then(() => {
      isClosed = true;
    });
    await pause(transactionMs);
    if (isClosed) anomalies.push('a part was taken for closed while a transaction wrote to it');
    // Whatever it still writes goes through Citus.
    await tx`insert into realm_locks (realm_id, name) values (${organization.realmId}, 'after')`;
  });
  await closing;
  const found = await sql<{ name: string }[]>`
    select name from realm_locks where realm_id = ${organization.realmId} and name in ('before', 'after')`;
  if (found.length !== 2) anomalies.push('a transaction that a part was closed under is lost');
  if ((await schemaOf(sql)) !== 'public') anomalies.push(`${part} is still open`);
  await asking(servers.url, (one) => openParts(one));
  if ((await schemaOf(sql)) !== part) anomalies.push(`${part} was not opened again`);
  await end();
  return anomalies;
}

/**
 * Asks for what a statement finds whose part is closed while it looks for its tables: some there, others in Citus; or a table
 * that is called otherwise by then, and no function for it.
 */
async function findHalf(servers: DistributedPostgres, organization: Organization): Promise<string[]> {
  const { realmId } = organization;
  const { sql, end } = await connectDirectly(servers, organization);
  const tables = () => sql`
    update realm_locks set name = name
    where realm_id = ${realmId} and exists (select from public.realm_heads h where h.realm_id = ${realmId})`;
  const functions = () =>
    sql.begin(async (tx) => {
      await tx`set local citus.enable_ddl_propagation to off`;
      await tx`create schema closed_0_0`;
      await tx`create table closed_0_0.realm_heads (realm_id int)`;
      return await tx`select last_message_id(h, ''::text, 1, false) from closed_0_0.realm_heads h`;
    });
  const anomalies: string[] = [];
  for (const ask of [tables, functions]) {
    try {
      await ask();
      anomalies.push('a statement that finds half of a part is not refused');
    } catch (error) {
      if (!isDatabaseUnavailable(error))
        anomalies.push(`half of a part is not asked again: ${String(error)}`);
    }
  }
  await end();
  return anomalies;
}

/** Changes on one server what every server has, and copies it from there, as Citus does to a new server. */
async function writeEverywhere(servers: DistributedPostgres, organization: Organization): Promise<string[]> {
  const anomalies: string[] = [];
  const { sql, end } = await connectDirectly(servers, organization);
  try {
    const refusal = await refusalOf(sql`update realms set name = name where id = ${organization.realmId}`);
    if (!refusal?.includes('every server has realms'))
      anomalies.push('what every server has was changed on one');
    const [table] = await sql<{ name: string }[]>`
      select 'realms_' || shardid as name from pg_dist_shard where logicalrelid = 'public.realms'::regclass`;
    const refused = await refusalOf(
      sql.begin(async (tx) => {
        await tx`set local citus.enable_ddl_propagation to off`;
        await tx`create publication copied for table ${tx(`public.${table?.name}`)}`;
        await tx`drop publication copied`;
      }),
    );
    if (refused !== null) anomalies.push(`what every server has cannot be copied: ${refused}`);
  } finally {
    await end();
  }
  return anomalies;
}

/** Returns the schema in which a table is found by its name alone. */
async function schemaOf(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ schema: string }[]>`
    select relnamespace::regnamespace::text as schema from pg_class where oid = to_regclass('realm_locks')`;
  return row?.schema;
}

/** Writes to the part of an organization before, during and after some work, and counts what has been written there then. */
async function whileWritten(
  servers: DistributedPostgres,
  organization: Organization,
  work: () => Promise<unknown>,
): Promise<{ written: number; found: number }> {
  const { realmId } = organization;
  const { sql, end } = await connectDirectly(servers, organization);
  const prefix = `written-${Math.random().toString(36).slice(2)}-`;
  const ended = new AbortController();
  let written = 0;
  const writing = (async () => {
    while (!ended.signal.aborted) {
      try {
        await sql`insert into realm_locks (realm_id, name) values (${realmId}, ${prefix + written})`;
        written += 1;
      } catch (error) {
        // It is asked again, whatever became of it.
        if (!isDatabaseUnavailable(error)) throw error;
        await sql`delete from realm_locks where realm_id = ${realmId} and name = ${prefix + written}`;
      }
    }
  })();
  try {
    await pause(aroundMs);
    await work();
    await pause(aroundMs);
  } finally {
    ended.abort();
    await writing;
    await end();
  }
  const found = await asking(servers.url, async (one) => {
    const [row] = await one<{ count: number }[]>`
      select count(*)::int as count from realm_locks where realm_id = ${realmId} and starts_with(name, ${prefix})`;
    return row?.count ?? 0;
  });
  return { written, found };
}

/** Whether a process that uses an organization soon asks the server that it was moved to. */
async function noticesMove(
  { url }: DistributedPostgres,
  { realmId }: Organization,
  move: () => Promise<unknown>,
): Promise<boolean> {
  const database = { url, name: 'distributed', max: 1 };
  const sql = connectSql(database);
  const logger = createLogger({ role: 'distributed', level: 'silent' });
  await using places = new Servers({
    first: { sql, address: '' },
    database,
    open(options, address) {
      const opened = connectSql(options);
      const server = { sql: opened, address };
      const watch = createDatabaseWatch(connectSql(options), logger);
      return {
        server,
        part: () => server,
        watch,
        async [Symbol.asyncDispose]() {
          await Promise.all([watch[Symbol.asyncDispose](), opened.end({ timeout: 5 })]);
        },
      };
    },
  });
  try {
    const before = (await places.of(realmId)).address;
    let endedMs = Infinity;
    const moving = move().finally(() => {
      endedMs = Date.now();
    });
    // It asks all the time, so that it knows where the organization was when it moves.
    const isElsewhere = async () => (await places.of(realmId)).address !== before;
    let isNoticed = false;
    while (!isNoticed && Date.now() < endedMs + noticedMs) {
      await pause(50);
      isNoticed = await isElsewhere();
    }
    await moving;
    return isNoticed;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Has Citus move the part of an organization, as an operator may who knows Citus. */
async function moveByHand(servers: DistributedPostgres, { realmId }: Organization): Promise<void> {
  const shard = await findShard(servers.url, realmId);
  const from = await findPort(servers.url, realmId);
  const to = servers.workers.find(({ port }) => port !== from)?.port ?? 0;
  await asking(
    servers.url,
    (sql) => sql`
      select citus_move_shard_placement(
        ${shard}::bigint, '127.0.0.1', ${from}, '127.0.0.1', ${to}, shard_transfer_mode => 'auto')`,
    ['statement_timeout', '0'],
  );
}

/** Lets Citus move what is open. */
async function removeGuards({ workers }: DistributedPostgres): Promise<void> {
  for (const { url } of workers) {
    await asking(url, (sql) => sql`drop event trigger guard_open_parts`, [
      'citus.enable_ddl_propagation',
      'off',
    ]);
  }
}

/** Says in words how many parts of the tables are closed. */
export async function findClosed(url: string): Promise<string[]> {
  const { open, parts } = await countParts(url);
  return open === parts ? [] : [`${parts - open} of ${parts} parts of the tables are closed`];
}

/** Counts the parts of the tables, and those that are open where they are. */
export async function countParts(url: string): Promise<{ open: number; parts: number }> {
  const held = (await listServers(url)).map((server) => server.held ?? { parts: 1, closed: 1 });
  const parts = sum(held.map((one) => one.parts));
  return { parts, open: parts - sum(held.map(({ closed }) => closed)) };
}

/** Returns in words which rows are in parts of tables that are not those of their organizations. */
export async function findStrays({ workers }: Pick<DistributedPostgres, 'workers'>): Promise<string[]> {
  const strays: string[] = [];
  for (const { url } of workers) {
    await asking(url, async (sql) => {
      const shards = await sql<{ name: string; least: number; most: number }[]>`
        select s.logicalrelid::regclass || '_' || s.shardid as name, s.shardminvalue::int as least,
          s.shardmaxvalue::int as most
        from pg_dist_shard s join pg_dist_placement p using (shardid)
        where s.shardminvalue is not null and p.groupid = (select groupid from pg_dist_local_group)`;
      for (const { name, least, most } of shards) {
        const [row] = await sql<{ count: number }[]>`
          select count(*)::int as count from ${sql(name)}
          where worker_hash(realm_id) not between ${least} and ${most}`;
        if (row && row.count > 0) strays.push(`${row.count} rows are in ${name} and belong elsewhere`);
      }
    });
  }
  return strays;
}

/** Returns what something was refused with; null if it was not. */
const refusalOf = async (asked: PromiseLike<unknown>): Promise<string | null> => {
  try {
    await asked;
    return null;
  } catch (error) {
    return String(error);
  }
};

/** Asks one server. */
export async function asking<Answer>(
  url: string,
  ask: (sql: Sql) => PromiseLike<Answer>,
  [name, value]: readonly [string, string] = ['application_name', 'parley-distributed'],
): Promise<Answer> {
  const sql = connectSql({ url, name: 'distributed', max: 1 });
  try {
    await sql`select set_config(${name}, ${value}, false)`;
    return await ask(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
