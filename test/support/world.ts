import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';

import { type Endpoint, createApiServer, createApp } from '@parley/api';
import { connectSql } from '@parley/db';
import { type Engine, createEngine } from '@parley/engine';
import { type FileStore, createDiskStore } from '@parley/files';
import { makeTiedFolder } from '@parley/infra';
import { type Secrets, createLogger, readConfig, systemClock } from '@parley/kit';
import type * as model from '@parley/model';
import { type PushClient, createPushClient, pushConfig } from '@parley/push';
import { createQueueNode } from '@parley/queue';
import { type Redis, connectRedis, redisReady } from '@parley/redis';
import { inject } from 'vitest';

import { commandMsMax } from './open-redis.ts';
import { buildRealm, copyRealm } from './prepared-realm.ts';
import { isNight } from './seed.ts';
import { tokenSecret } from './token-secret.ts';

type Sql = ReturnType<typeof connectSql>;

/** One test file's server: a database of its own, an api node and a queue node in this process, on free ports. */
export interface World {
  databaseUrl: string;
  /** The same with the rights of nodes. */
  nodeUrl: string;
  /** The same on the replica from which its nodes read; null if there is none. */
  replicaUrl: string | null;
  redisUrl: string;
  sql: Sql;
  redis: Redis;
  secret: string;
  partitions: number;
  /** Every line the nodes log at `error`: bugs, all of them. A test that leaves one fails. */
  bugs: string[];
  ports: { api: number; queue: number };
  /** Runs actions, where the API has no endpoint. */
  engine: Engine;
  /** Starts another api node over the same database, as different as wanted. */
  readonly startApi: (differing?: Partial<ApiOptions>) => Promise<StartedNode>;
  /** Starts another queue node. */
  startQueue(differing?: Partial<QueueOptions>): Promise<StartedQueueNode>;
  /** Where the nodes keep files, and the folder that it is. */
  store: FileStore;
  uploads: string;
  /** The ways to sign in beside passwords. */
  signIn: { jwtSecretOf(realm: string): string; ldap: null; oidc: null };
  /** Where its organizations are found. */
  site: model.realms.Site;
  /** Makes a copy of the prepared realm under another name. */
  copyRealm(name: string): Promise<void>;
}

interface ApiOptions {
  partitions: number;
  secrets: Secrets;
  endpoints: readonly Endpoint[];
  canSendMail: boolean;
  hasServiceWorker: boolean;
  signIn: Parameters<typeof createApp>[0]['signIn'];
  invitationsPerDay: number | null;
  store: FileStore;
  push: PushClient;
  search: Parameters<typeof createApp>[0]['search'];
  uploadQuotas: Parameters<typeof createApp>[0]['uploadQuotas'];
  exportLimits: Parameters<typeof createApp>[0]['exportLimits'];
  importBytesMax: number;
  redis: Redis;
  isDevelopment: boolean;
  limits: Partial<Parameters<typeof createApp>[0]['limits']>;
  logger: Parameters<typeof createApp>[0]['logger'];
  addressOf: Parameters<typeof createApp>[0]['addressOf'];
  /** Overrides the database that the node connects to. */
  databaseUrl: string;
  replicaUrls: readonly string[];
  databaseConnections: number;
  site: model.realms.Site;
  registrations: Parameters<typeof createApp>[0]['registrations'];
  queuesPerUser: number;
  clock: Parameters<typeof createApp>[0]['clock'];
  reads: Parameters<typeof createApp>[0]['reads'];
}

type QueueOptions = Pick<ApiOptions, 'logger' | 'secrets' | 'partitions'>;

interface StartedNode extends AsyncDisposable {
  port: number;
}

interface StartedQueueNode extends StartedNode {
  /** Answers the polls that wait, as a node does that is told to stop. */
  drain(): Promise<void>;
}

let started: Promise<{ world: World; end: () => Promise<void> }> | undefined;

/** The file's world, started when the first test asks for it. */
export async function getWorld(): Promise<World> {
  started ??= startWorld();
  return (await started).world;
}

/** What the nodes logged as bugs since it was last asked. */
export async function takeBugs(): Promise<string[]> {
  return started ? (await started).world.bugs.splice(0) : [];
}

export async function closeWorld(): Promise<void> {
  if (!started) return;
  const { end } = await started;
  started = undefined;
  await end();
}

/**
 * Enough for every test of a file. No two files of a run share any: processes remember rules by the ids of realms. Half
 * are for copied realms, of which thousands of histories need more.
 */
const idsPerFile = process.env['HISTORIES'] === undefined && !isNight ? 10_000 : 20_000;

const secret = 'a secret that only tests know, 32 characters and more';
const partitions = 16;

/** Returns the address of a database with the rights of nodes. */
function asNode(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('role', 'parley_node');
  return url.href;
}

/** A database of its own, copied from the template, unless the run has one that is divided. */
async function createDatabase() {
  const { databaseUrl: serverUrl, templateName, distributedUrl } = inject('servers');
  if (distributedUrl !== null) {
    return { databaseUrl: distributedUrl, nodeUrl: asNode(distributedUrl), drop: async () => undefined };
  }
  const admin = connectSql({ url: serverUrl, name: 'test-admin', max: 1 });
  const databaseName = `parley_test_${randomBytes(6).toString('hex')}`;
  await admin.unsafe(`create database ${databaseName} template ${templateName}`);
  const url = new URL(serverUrl);
  url.pathname = `/${databaseName}`;
  return {
    databaseUrl: url.href,
    nodeUrl: asNode(url.href),
    drop: async () => {
      await admin.unsafe(`drop database if exists ${databaseName} with (force)`);
      await admin.end({ timeout: 5 });
    },
  };
}

/** Returns the address of a database on another server. */
function onServer(databaseUrl: string, serverUrl: string): string {
  const url = new URL(databaseUrl);
  url.host = new URL(serverUrl).host;
  return url.href;
}

/** All files share one Redis, in which streams and counters are named after ids: each file has ids of its own. */
async function separateIds(sql: Sql, redis: Redis): Promise<number> {
  // The servers of a divided database draw ids of their own.
  if (inject('servers').distributedUrl !== null) return 0;
  const firstId = idsPerFile * (1 + ((await redis.incr('parley-test:files')) % 100_000));
  for (const table of ['realms', 'users', 'user_groups', 'conversations', 'audiences']) {
    await sql.unsafe(`alter table ${table} alter column id restart with ${firstId + idsPerFile / 2}`);
  }
  return firstId;
}

/** What the nodes of a world have in common. */
interface Ground {
  databaseUrl: string;
  replicaUrls: readonly string[];
  logger: ReturnType<typeof createLogger>;
  redis: Redis;
  readonly connect: (options: { name: string; blocking?: boolean }) => Redis;
  store: FileStore;
  site: World['site'];
  signIn: World['signIn'];
}

async function startQueueNode(
  { connect, logger, site }: Ground,
  { engine, sql }: { engine: Engine; sql: Sql },
  differing: Partial<QueueOptions>,
): Promise<StartedQueueNode> {
  const { baseHost, rootRealm, baseUrl } = site;
  const node = createQueueNode({
    sql,
    database: engine,
    connectRedis: connect,
    logger,
    clock: systemClock,
    secrets: [secret],
    hosts: { baseHost, rootRealm },
    baseUrl,
    partitions,
    // On a busy machine a test may take longer between two polls than clients do.
    options: { ephemeralMs: 600_000 },
    ...differing,
  });
  const port = await node.listen(0, '127.0.0.1');
  return { port, drain: () => node.drain(), [Symbol.asyncDispose]: () => node[Symbol.asyncDispose]() };
}

const noPush = createPushClient(readConfig(pushConfig, {}));
const generous = [{ seconds: 60, count: 1_000_000 }];

async function startApiNode(
  { databaseUrl, replicaUrls, redis, logger, site, store, signIn }: Ground,
  differing: Partial<ApiOptions>,
): Promise<StartedNode> {
  const app = createApp({
    databaseUrl,
    replicaUrls,
    databaseConnections: 6,
    redis,
    clock: systemClock,
    logger,
    secrets: [secret],
    site,
    partitions,
    isDevelopment: true,
    queuesPerUser: 250,
    requestsAtOnce: 1000,
    // On a busy machine everything is late that this process does, and no request of a test is refused for it.
    lateMsMax: Number.POSITIVE_INFINITY,
    registrations: { atOnce: 16, waitingMax: 1000 },
    sharedStateBytesMax: 64 * 1024 * 1024,
    store,
    push: noPush,
    canSendMail: true,
    signIn,
    invitationsPerDay: null,
    uploadQuotas: { realmMib: null, userMib: null },
    importBytesMax: 2 ** 30,
    exportLimits: { perWeek: null, messages: null, bytes: null },
    addressOf: () => '127.0.0.1',
    ...differing,
    limits: {
      byUser: generous,
      byAddress: generous,
      filesByUser: generous,
      filesByAddress: generous,
      logins: [{ seconds: 1800, count: 5 }],
      loginsByAddress: generous,
      wrongKeys: generous,
      emailChanges: generous,
      passwordResets: generous,
      passwordResetsByAddress: generous,
      ...differing.limits,
    },
  });
  const server = createApiServer(app);
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await app[Symbol.asyncDispose]();
    },
  };
}

/** What every node needs, and the list of what they log as bugs. */
async function layGround(databaseUrl: string) {
  const { redisUrl, replicaUrl } = inject('servers');
  const bugs: string[] = [];
  const logger = createLogger({ role: 'test', level: 'silent' });
  logger.error = (...args: unknown[]) => {
    bugs.push(inspect(args, { depth: 5 }));
  };
  const connect = (options: { name: string; blocking?: boolean }) =>
    connectRedis({ ...options, url: redisUrl, logger, commandMsMax });
  const redis = connect({ name: 'test' });
  await redisReady(redis, 5000);
  const uploads = await makeTiedFolder('parley-uploads-');
  const site = {
    baseHost: 'localhost',
    rootRealm: '',
    baseUrl: 'http://localhost:9991',
    fakeEmailDomain: 'fake.invalid',
  };
  /** Every organization takes tokens, so that there is a way to sign in beside passwords. */
  const signIn = { jwtSecretOf: tokenSecret, ldap: null, oidc: null };
  const store = createDiskStore(uploads);
  const replicaUrls = replicaUrl === null ? [] : [onServer(databaseUrl, replicaUrl)];
  const ground = { databaseUrl, replicaUrls, logger, redis, connect, store, site, signIn };
  return { ground, bugs, redisUrl, uploads };
}

async function startWorld() {
  const { databaseUrl, nodeUrl, drop } = await createDatabase();
  const sql = connectSql({ url: databaseUrl, name: 'test', max: 6 });
  const queueSql = connectSql({ url: nodeUrl, name: 'queue', max: 4 });
  const { ground, bugs, redisUrl, uploads } = await layGround(nodeUrl);
  const { redis, logger, store, site, signIn } = ground;
  const firstId = await separateIds(sql, redis);
  const engine = createEngine({
    databaseUrl: nodeUrl,
    name: 'test',
    connectionsMax: 4,
    redis,
    secrets: [secret],
    clock: systemClock,
    logger,
    partitions,
  });
  const startApi = (differing: Partial<ApiOptions> = {}) => startApiNode(ground, differing);
  const startQueue = (differing: Partial<QueueOptions> = {}) =>
    startQueueNode(ground, { engine, sql: queueSql }, differing);
  const [api, queue] = [await startApi(), await startQueue()];
  let copies = 0;
  const world: World = {
    databaseUrl,
    nodeUrl,
    replicaUrl: ground.replicaUrls[0] ?? null,
    redisUrl,
    sql,
    redis,
    secret,
    partitions,
    bugs,
    ports: { api: api.port, queue: queue.port },
    engine,
    startApi,
    startQueue,
    signIn,
    store,
    uploads,
    site,
    async copyRealm(name) {
      const { preparedRealm, distributedUrl } = inject('servers');
      if (distributedUrl !== null) return await buildRealm(engine, name);
      const shift = firstId + copies * (preparedRealm.idMax + 1);
      copies += 1;
      await copyRealm(sql, preparedRealm, { shift, name });
    },
  };

  async function end(): Promise<void> {
    await api[Symbol.asyncDispose]();
    await queue[Symbol.asyncDispose]();
    await Promise.all([sql, queueSql].map((client) => client.end({ timeout: 5 })));
    await engine[Symbol.asyncDispose]();
    redis.disconnect();
    await drop();
    await rm(uploads, { recursive: true, force: true });
  }
  return { world, end };
}
