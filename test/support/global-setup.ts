import { chmod, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { connectSql, migrate } from '@parley/db';
import { buildClient, createCopies, makeTiedFolder, startPostgres, startRedis } from '@parley/infra';
import { keys } from '@parley/redis';
import { Redis } from 'ioredis';
import type { TestProject } from 'vitest/node';

import { type PreparedRealm, prepareRealm } from './prepared-realm.ts';

/** What all test files share: servers that run, and a migrated database with one realm in it, which each file clones. */
interface TestServers {
  databaseUrl: string;
  templateName: string;
  preparedRealm: PreparedRealm;
  redisUrl: string;
  /** A server that follows that of the databases; null if none does. */
  replicaUrl: string | null;
  /** A database that is divided over several servers, which all files share instead; null if each clones its own. */
  distributedUrl: string | null;
}

declare module 'vitest' {
  export interface ProvidedContext {
    servers: TestServers;
  }
}

const quiet = () => undefined;

interface Running {
  servers: TestServers;
  stop: () => Promise<void>;
}

/** What runs, and for how many projects. Each project loads this module anew, so that it stands beside the modules. */
interface Shared {
  running: Promise<Running>;
  users: number;
}

const shared = globalThis as typeof globalThis & { parleyTestServers?: Shared | undefined };

/** Starts the servers for the first project of the run that needs them, and stops them after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const all = (shared.parleyTestServers ??= { running: start(), users: 0 });
  all.users += 1;
  project.provide('servers', (await all.running).servers);
  return async () => {
    all.users -= 1;
    if (all.users > 0) return;
    shared.parleyTestServers = undefined;
    await (await all.running).stop();
  };
}

/** Waits for connections, locks and statements end late: a machine that does much else is not one that hangs. */
function patient(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('connect_timeout', '60');
  url.searchParams.set('lock_timeout', '60000');
  url.searchParams.set('statement_timeout', '90000');
  url.searchParams.set('idle_in_transaction_session_timeout', '90000');
  return url.href;
}

/** Starts a server that follows another, and does what that did after a delay, such as `2s`. */
async function startReplica({ server }: ReturnType<typeof createCopies>, delay: string): Promise<string> {
  if (!server) throw new Error('Only a Postgres of the run can be followed: unset DATABASE_URL.');
  const { url } = await server.replicate({ isSynchronous: false });
  const sql = connectSql({ url, name: 'test-setup', max: 1 });
  await sql.unsafe(`alter system set recovery_min_apply_delay = '${delay}'`);
  await sql`select pg_reload_conf()`;
  await sql.end({ timeout: 5 });
  return url;
}

const noRealm: PreparedRealm = { idMax: 0, memberIds: [] };

async function prepareTemplate(
  sql: ReturnType<typeof connectSql>,
  serverUrl: string,
  name: string,
): Promise<PreparedRealm> {
  await sql.unsafe(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return await prepareRealm(url.href);
}

/** Starts Postgres and Redis, or takes those of DATABASE_URL and REDIS_URL. */
async function start(): Promise<Running> {
  await buildClient({ root: fileURLToPath(new URL('../..', import.meta.url)), say: quiet });
  const dir = await makeTiedFolder('parley-test-');
  // Postgres refuses to run as root, and its own user has to get in.
  await chmod(dir, 0o755);
  const { DATABASE_URL, REDIS_URL } = process.env;
  const distributedUrl = process.env['DISTRIBUTED_URL'] || null;
  const url = distributedUrl ?? (DATABASE_URL || undefined);
  const postgres = await startPostgres({ dir, url, durable: false, say: quiet });
  const redis = await startRedis({ dir, url: REDIS_URL || undefined, say: quiet });

  // An empty Redis is new here. The nodes would take it for one that has just lost its memory, and ask twice.
  const client = new Redis(redis.url);
  const [, run = ''] = /^run_id:(\w+)/m.exec(await client.info('server')) ?? [];
  await client.hsetnx(keys.runs, run, Date.now() - 3_600_000);
  client.disconnect();

  const templateName = `parley_template_${process.pid}_${Date.now()}`;
  const sql = connectSql({ url: postgres.url, name: 'test-setup', max: 1 });
  // Nodes of tests have the rights of nodes, and no more.
  await sql.unsafe('create role parley_node').catch((error: { code?: string }) => {
    if (error.code !== '42710') throw error;
  });
  // A divided database cannot be cloned, and dividing one takes half a minute: files share it, and build what they copy.
  const preparedRealm =
    distributedUrl === null ? await prepareTemplate(sql, postgres.url, templateName) : noRealm;

  const copies = createCopies(postgres, { durable: false, say: quiet });
  const delay = process.env['REPLICA_DELAY'];
  const replicaUrl = delay === undefined ? null : await startReplica(copies, delay);
  const servers = {
    databaseUrl: patient(postgres.url),
    templateName,
    preparedRealm,
    redisUrl: redis.url,
    replicaUrl,
    distributedUrl: distributedUrl && patient(distributedUrl),
  };
  async function stop(): Promise<void> {
    await copies[Symbol.asyncDispose]();
    await sql.unsafe(`drop database if exists ${templateName} with (force)`);
    await sql.end({ timeout: 5 });
    await redis.stop();
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  }
  return { servers, stop };
}
