import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { type Sql, connectSql } from '@parley/db';
import { type DistributedPostgres, type Postgres, repoRoot, startDistributed } from '@parley/infra';

import { countParts } from './direct.ts';
import { createOrganizations, findPort } from './organizations.ts';
import { runCommand } from './run-command.ts';

export interface JoiningReport {
  /** The servers that were joined in the end. */
  servers: string[];
  /** What should not have been, in words. */
  anomalies: string[];
}

/** Says in words how servers were joined. */
export const describeJoining = ({ servers, anomalies }: JoiningReport): string =>
  `Servers that let nobody in without a password were joined as the manifests do it: ${anomalies.join('; ') || `${servers.length} of them, one of which was added later`}.`;

interface Options {
  folder: string;
  bin: string;
  /** Lets no server know how it proves to the others who it is. */
  isBroken: boolean;
  readonly say: (line: string) => void;
}

const roles = ['postgres', 'parley_owner', 'parley_node', 'parley_reader'] as const;
type Role = (typeof roles)[number];
type Passwords = Readonly<Record<Role, string>>;

const passwords: Passwords = {
  postgres: 'a0a0',
  parley_owner: 'b1b1',
  parley_node: 'c2c2',
  parley_reader: 'd3d3',
};
const laterPassword = 'e4e4';

const script = join(repoRoot(), 'infra/k8s/citus/join-servers.sh');
const secret = 'a secret of a proof that nobody reads';
const runFile = promisify(execFile);

/**
 * Joins servers that let nobody in without a password by what the manifests run, as often as an operator may, divides the
 * database as the owner of its tables, founds organizations as a node, and moves one to a server that is added.
 */
export async function joinServers({ folder, bin, isBroken, say }: Options): Promise<JoiningReport> {
  const dir = join(folder, 'joined');
  await using servers = await startDistributed({
    dir,
    bin,
    durable: true,
    shards: 8,
    joins: false,
    say: () => undefined,
  });
  const { coordinator } = servers;
  const anomalies: string[] = [];
  const joined = async (known: Passwords) => {
    const { stdout } = await runScript(servers, bin, known);
    if (isBroken) await onEach(servers, (sql) => sql`delete from pg_dist_authinfo`);
    return stdout.trim().split('\n');
  };
  const parley = async (role: Role, ...args: string[]) => {
    const env = { DATABASE_URL: urlOf(coordinator, role) };
    const { code, stderr } = await runCommand(args, { env });
    if (code !== 0) anomalies.push(`parley ${args.join(' ')} ended with ${code}: ${stderr.slice(-300)}`);
  };

  await onEach(servers, makeRoles);
  say('  joined');
  const once = await joined(passwords);
  const twice = await joined(passwords);
  if (once.length !== 3 || String(once) !== String(twice))
    anomalies.push(`joined once they were ${once.join(', ')}, and twice ${twice.join(', ')}`);
  say('  divided');
  await parley('parley_owner', 'migrate', '--finish');
  await parley('parley_owner', 'migrate', '--distribute');
  const divided = await countParts(coordinator.url);
  if (divided.open < divided.parts) anomalies.push('parts of the tables are closed');
  if (anomalies.length > 0) return { servers: twice, anomalies };
  const backends = { databaseUrl: urlOf(coordinator, 'parley_node'), redisUrl: '', secret };
  const [organization] = await createOrganizations(backends, servers, 1, 'joined');
  if (!organization) throw new Error('No server holds an organization.');

  say('  with a server more');
  const added = await servers.addWorker();
  await onEach({ coordinator: added, workers: [] }, makeRoles);
  const more = await joined(passwords);
  if (more.length !== 4 || String(more.slice(0, 3)) !== String(once))
    anomalies.push(`with one more they were ${more.join(', ')}`);
  await parley('parley_owner', 'migrate', '--distribute');
  await parley('postgres', 'realm', 'move', organization.name, '--to', `127.0.0.1:${added.port}`);
  if ((await findPort(backends.databaseUrl, organization.realmId)) !== added.port)
    anomalies.push(`${organization.name} did not move`);

  const { open, parts } = await countParts(coordinator.url);
  if (open < parts) anomalies.push(`${parts - open} of ${parts} parts of the tables are closed`);

  say('  with another password');
  await onEach(servers, (sql) => sql.unsafe(alterPassword('parley_node', laterPassword)));
  await joined({ ...passwords, parley_node: laterPassword });
  const found = await withSql(urlOf(coordinator, 'parley_node', laterPassword), countPeople);
  if (found === 0) anomalies.push('a node finds nobody on the servers');
  return { servers: more, anomalies };
}

const countPeople = async (sql: Sql) => (await sql`select from users where realm_id <> 0`).length;

/** Runs what the manifests run, with the programs of that Postgres. */
async function runScript(
  { coordinator, workers }: DistributedPostgres,
  bin: string,
  { postgres, parley_owner, parley_node, parley_reader }: Passwords,
): Promise<{ stdout: string }> {
  return await runFile('sh', [script], {
    env: {
      ...process.env,
      PATH: [bin, process.env['PATH']].join(delimiter),
      SERVERS: [coordinator, ...workers].map(({ port }) => `127.0.0.1:${port}`).join(' '),
      PGUSER: 'postgres',
      PGDATABASE: 'parley',
      PGPASSWORD: postgres,
      OWNER_PASSWORD: parley_owner,
      NODE_PASSWORD: parley_node,
      READER_PASSWORD: parley_reader,
    },
  });
}

const alterPassword = (role: Role, password: string) => `alter role ${role} password '${password}'`;

/** Makes the roles that the operator of the manifests makes on each server, and asks everybody else for a password. */
async function makeRoles(sql: Sql): Promise<void> {
  await sql.unsafe(`
    set citus.enable_ddl_propagation to off;
    create role postgres login superuser replication;
    create role parley_owner login;
    create role parley_node login in role pg_monitor;
    create role parley_reader login;
    grant parley_node, parley_reader to parley_owner;
    alter database parley owner to parley_owner;`);
  for (const role of roles) await sql.unsafe(alterPassword(role, passwords[role]));
  const [row] = await sql<{ file: string }[]>`select current_setting('hba_file') as file`;
  await writeFile(
    row?.file ?? '',
    'host all parley 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n',
  );
  await sql`select pg_reload_conf()`;
}

function urlOf({ port }: Postgres, role: Role, password = passwords[role]): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/parley`;
}

async function onEach(
  { coordinator, workers }: Pick<DistributedPostgres, 'coordinator' | 'workers'>,
  work: (sql: Sql) => PromiseLike<unknown>,
): Promise<void> {
  for (const { url } of [coordinator, ...workers]) await withSql(url, work);
}

async function withSql<Result>(url: string, work: (sql: Sql) => PromiseLike<Result>): Promise<Result> {
  const sql = connectSql({ url, name: 'distributed', max: 1 });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
