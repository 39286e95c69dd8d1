import { join } from 'node:path';

import { type Engine, createEngine } from '@parley/engine';
import { createDiskStore } from '@parley/files';
import { type DistributedPostgres, type Postgres, hang, startRedis } from '@parley/infra';
import { createLogger, pause, systemClock } from '@parley/kit';
import type { Job } from '@parley/protocol';
import { connectRedis, createSentLately, redisReady } from '@parley/redis';
import { type JobDeps, createImporter, createMailer, onDemandJobs, recurringJobs } from '@parley/worker';

import { type At, connectToHolder, dueWork, makeDue, siteOfJobs } from './due-work.ts';
import { type Organization, createOrganizations } from './organizations.ts';

const secret = 'a secret of a proof that nobody reads';
/** What jobs find waits for others of its kind: mails for a while, so that jobs look an hour ahead. */
const aheadMs = 3_600_000;
/** What one round finds, such as people to notify, the next one does. */
const rounds = 3;
const backMsMax = 60_000;
const lookMs = 500;
/** A job that waits longer waits for a server. */
const jobMsMax = 30_000;
/** Jobs look for no more than this in a round. */
const jobsMax = 2000;
/** So much of a statement is enough to find it. */
const statementLength = 300;

/** How a server can be away. */
const ways = ['dead', 'hanging'] as const;
type Way = (typeof ways)[number];

/** What jobs did while a server was away in one way, and after it was back. */
interface Phase {
  way: Way;
  /** What was done elsewhere meanwhile, and there once the server was back. */
  elsewhere: string[];
  caughtUp: string[];
  /** How many times jobs that look for work failed meanwhile, and how long all of them took. */
  failed: number;
  tookMs: number;
}

export interface JobsReport {
  phases: Phase[];
  /** What should not have been, in words. */
  anomalies: string[];
}

/** Says in words what jobs did. */
export function describeJobs({ phases, anomalies }: JobsReport): string {
  const verdict = anomalies.length === 0 ? 'all of it' : anomalies.join('; ');
  const told = phases.map(
    ({ way, elsewhere, caughtUp, failed, tookMs }) =>
      `while it was ${way}, ${elsewhere.length} were done elsewhere in ${(tookMs / 1000).toFixed(1)} s, and ${caughtUp.length} there once it was back, jobs failed ${failed} times`,
  );
  return `Jobs without a server, of ${dueWork.length} kinds of work: ${told.join('; ')}: ${verdict}.`;
}

interface Options {
  folder: string;
  /** Has jobs look for work on all servers at once. */
  isBroken: boolean;
  readonly say: (line: string) => void;
}

/** Takes a server away, and returns what brings it back. */
const takeAway: Readonly<Record<Way, (server: Postgres) => Promise<() => Promise<void>>>> = {
  async dead(server) {
    await server.crash?.();
    return async () => await server.restart?.();
  },
  hanging: (server) => hang(server),
};

/**
 * Has everything be due in an organization of each server, kills one of them, and runs all jobs as a worker does: what is due
 * elsewhere is done. Once the server is back, the jobs do what is due there. Then the same with a server that hangs.
 */
export async function runJobsWithout(
  servers: DistributedPostgres,
  { folder, isBroken, say }: Options,
): Promise<JobsReport> {
  const [server] = servers.workers;
  if (!server) throw new Error('No server holds organizations.');
  await using redis = await startRedis({ dir: join(folder, 'jobs'), say: () => undefined });
  const backends = { databaseUrl: servers.url, redisUrl: redis.url, secret };
  await using worker = await openWorker(servers.url, redis.url, { folder, isBroken });
  const report: JobsReport = { phases: [], anomalies: [] };
  for (const way of ways) {
    // What one way has left undone is nothing of the next.
    const organizations = await createOrganizations(backends, servers, 1, `jobs-${way}`);
    const [there, elsewhere] = [true, false].map((isThere) =>
      organizations.find(({ port }) => (port === server.port) === isThere),
    );
    if (!there || !elsewhere) throw new Error('A server lacks an organization.');
    const stage = { servers, server, worker, say, there, elsewhere };
    const { phase, anomalies } = await runWithout(stage, way);
    report.phases.push(phase);
    report.anomalies.push(...anomalies.map((what) => `${way}: ${what}`));
  }
  return report;
}

interface Stage {
  servers: DistributedPostgres;
  server: Postgres;
  worker: { deps: JobDeps; engine: Engine };
  readonly say: (line: string) => void;
  /** The organization of the server that goes away, and one of another. */
  there: Organization;
  elsewhere: Organization;
}

async function runWithout(
  { servers, server, worker: { deps, engine }, say, there, elsewhere }: Stage,
  way: Way,
): Promise<{ phase: Phase; anomalies: string[] }> {
  const anomalies: string[] = [];
  const ids = new Set([there.realmId, elsewhere.realmId]);
  const atOf = async (organization: Organization) => {
    const holder = servers.workers.find(({ port }) => port === organization.port);
    const connected = await connectToHolder(holder?.url ?? '');
    const now = new Date(deps.clock.nowMs());
    const at: At = { engine, organization, holder: connected.sql, now };
    return { at, [Symbol.asyncDispose]: () => connected[Symbol.asyncDispose]() };
  };
  await using other = await atOf(elsewhere);
  {
    await using own = await atOf(there);
    for (const { at } of [own, other]) {
      await makeDue(at);
      const { done } = await divideWork(at);
      anomalies.push(...done.map((what) => `${at.organization.name} had nothing to do: ${what}`));
    }
  }
  say(`  ${way}`);
  const bringBack = await takeAway[way](server);
  const startedMs = Date.now();
  const { failed, harmed } = await runAll(deps, ids, elsewhere.realmId);
  const tookMs = Date.now() - startedMs;
  anomalies.push(...harmed.map((what) => `elsewhere the server was asked by ${what}`));
  const without = await divideWork(other.at);
  anomalies.push(...without.waiting.map((what) => `elsewhere it waited for the server: ${what}`));
  say('  back');
  await bringBack();
  await untilBack(engine, there);
  await using own = await atOf(there);
  await runAll(deps, ids, there.realmId);
  const caughtUp = await divideWork(own.at);
  anomalies.push(...caughtUp.waiting.map((what) => `it was never done: ${what}`));
  return { phase: { way, elsewhere: without.done, caughtUp: caughtUp.done, failed, tookMs }, anomalies };
}

/** Returns what waits to be done in an organization, and what does not. */
async function divideWork(at: At): Promise<{ waiting: string[]; done: string[] }> {
  const waiting: string[] = [];
  const done: string[] = [];
  for (const { what, waits } of dueWork) {
    // What cannot be asked is not done.
    if (await waits(at).catch(() => true)) waiting.push(what);
    else done.push(what);
  }
  return { waiting, done };
}

interface Ran {
  /** How many times jobs that look for work failed. */
  failed: number;
  /** What failed that was about an organization which is meant, and why. */
  harmed: string[];
}

/** Runs all jobs that look for work, and of what they find what is about these organizations. */
async function runAll(deps: JobDeps, realmIds: ReadonlySet<number>, meant: number): Promise<Ran> {
  let failed = 0;
  const harmed = new Map<string, string>();
  for (let round = 0; round < rounds; round += 1) {
    const found: Job[] = [];
    const queues = { enqueue: (job: Job) => void found.push(job) };
    const run = async (job: (typeof recurringJobs)[number]) => {
      const engine = watched(deps.engine, meant, (error) => harmed.set(job.name, describeFailure(error)));
      const ran = await inTime(job.run({ ...deps, engine, queues })).catch(() => (failed += 1));
      if (ran === null) harmed.set(job.name, `it did not end in ${jobMsMax / 1000} s`);
    };
    // One that waits is nobody else's business, as where a worker runs them.
    await Promise.all(recurringJobs.map(run));
    for (const { name, id, realmId = id } of found.slice(0, jobsMax)) {
      if (!realmIds.has(realmId)) continue;
      const job = onDemandJobs.find((one) => one.name === name);
      if (!job) continue;
      const run = () => job.run({ ...deps, queues }, id, realmId);
      // As a worker does it. One that fails is looked for again.
      await deps.engine.servers.whileAnswering(realmId, run).catch((error: unknown) => {
        if (realmId === meant) harmed.set(name, describeFailure(error));
      });
    }
  }
  return { failed, harmed: [...harmed].map(([name, why]) => `${name} (${why})`) };
}

/** Returns what work comes to, or null if it takes too long. It goes on by itself. */
const inTime = async <Result>(work: Promise<Result>): Promise<Result | null> => {
  const ended = new AbortController();
  const over = pause(jobMsMax, ended.signal).then(() => null);
  try {
    return await Promise.race([work, over]);
  } finally {
    ended.abort();
  }
};

/** Is told what fails while a sweep looks for work in an organization. */
const watched = (engine: Engine, realmId: number, onError: (error: unknown) => void): Engine => ({
  ...engine,
  sweep: (work) =>
    engine.sweep(async (db, realmIds, sql) => {
      try {
        return await work(db, realmIds, sql);
      } catch (error) {
        if (realmIds === null || realmIds.includes(realmId)) onError(error);
        throw error;
      }
    }),
});

/** Returns why something failed, and the beginning of the statement that did. */
function describeFailure(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const reason = cause instanceof Error ? `${cause.message.split('\n')[0]}: ` : '';
  return reason + message.replace(/\s+/g, ' ').slice(0, statementLength);
}

async function untilBack(engine: Engine, { realmId }: Organization): Promise<void> {
  const isBack = async () => {
    const sql = await engine.servers.sqlOf(realmId);
    return await sql`select from realm_heads where realm_id = ${realmId}`.then(
      (rows) => rows.length > 0,
      () => false,
    );
  };
  for (const startedMs = Date.now(); !(await isBack()); await pause(lookMs)) {
    if (Date.now() - startedMs > backMsMax) throw new Error('The server did not come back.');
  }
}

/** Opens what a worker has for its jobs, but services of others. */
async function openWorker(
  databaseUrl: string,
  redisUrl: string,
  { folder, isBroken }: Pick<Options, 'folder' | 'isBroken'>,
): Promise<AsyncDisposable & { deps: JobDeps; engine: Engine }> {
  const logger = createLogger({ role: 'distributed', level: 'silent' });
  const redis = connectRedis({ url: redisUrl, name: 'jobs', logger });
  await redisReady(redis, 5000);
  const clock = { ...systemClock, nowMs: () => Date.now() + aheadMs };
  const engine = createEngine({
    databaseUrl,
    name: 'jobs',
    connectionsMax: 4,
    redis,
    secrets: [secret],
    clock: systemClock,
    logger,
    partitions: 16,
  });
  const broken: Engine = {
    ...engine,
    sweep: async (work) => [await work(engine.db, null, engine.sql)],
    atEachServer: async (work) => [await work(engine.db)],
  };
  const outside = {
    request: () => Promise.reject(new Error('There is nobody outside.')),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const deps: JobDeps = {
    engine: isBroken ? broken : engine,
    store: createDiskStore(join(folder, 'uploads')),
    site: siteOfJobs,
    outbound: outside,
    webhooks: outside,
    mailer: createMailer({
      smtpUrl: undefined,
      folder: join(folder, 'mails'),
      from: 'Parley <noreply@parley.example>',
    }),
    push: {
      services: new Set(),
      send: () => Promise.reject(new Error('There are no phones.')),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
    search: null,
    secrets: [secret],
    queues: { enqueue: () => undefined },
    sentLately: createSentLately(redis),
    messagesPerExportPart: 10_000,
    importer: createImporter({ env: process.env, diskBytesMax: null }),
    clock,
    logger,
  };
  return {
    deps,
    engine,
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]();
      redis.disconnect();
    },
  };
}
