import { rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';

import { migrate } from '@parley/db';

import { announce } from './announce.ts';
import { assertKnownSchema } from './assert-known-schema.ts';
import type { Alive } from './demo/bring-to-life.ts';
import type { Demo } from './demo/seed.ts';
import { explainFailure } from './explain-failure.ts';
import { sayOnStdout as say } from './machine/say.ts';
import { claimFolder } from './nodes/claim-folder.ts';
import type { ClusterBackends } from './nodes/cluster-backends.ts';
import type { ClusterOptions } from './nodes/cluster-options.ts';
import { publicUrl } from './nodes/node-environment.ts';
import { writeJson } from './nodes/replace-file.ts';
import { startCluster, type Cluster } from './nodes/start-cluster.ts';
import { provideFolder } from './provide-folder.ts';
import type { ProxyKind } from './proxy/proxy-options.ts';
import { stopSignal } from './stop-signal.ts';

/** Runs a cluster until the process is asked to stop, and then ends the process. */
export async function run(counts: Counts): Promise<never> {
  const stop = stopSignal(say);
  try {
    const settings = readSettings(process.env);
    await runUntil(stop, counts, settings);
  } catch (error) {
    if (!stop.aborted) {
      process.stderr.write(`\nParley did not start. ${explainFailure(error)}\n`);
      process.exit(1);
    }
  }
  process.exit(0);
}

/** How many nodes of each role there are, and replicas of Postgres. */
type Counts = Pick<ClusterOptions, 'api' | 'queue' | 'worker' | 'replicas'>;

interface Settings {
  dir: string;
  port: number;
  proxy: ProxyKind | undefined;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
}

function readSettings(env: NodeJS.ProcessEnv): Settings {
  const port = Number(env.PORT || 9991);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`PORT=${env.PORT} is not a port. Choose a number from 1 to 65535.`);
  const proxy = env.PARLEY_PROXY || undefined;
  if (proxy !== undefined && proxy !== 'nginx' && proxy !== 'node') {
    throw new Error(`PARLEY_PROXY=${proxy} is not a proxy. Choose nginx or node.`);
  }
  return {
    dir: resolve(env.PARLEY_DIR || '.parley'),
    port,
    proxy,
    databaseUrl: env.DATABASE_URL || undefined,
    redisUrl: env.REDIS_URL || undefined,
  };
}

async function runUntil(stop: AbortSignal, counts: Counts, settings: Settings): Promise<void> {
  const { dir } = settings;
  const devFile = join(dir, 'dev.json');
  let demo: Demo | undefined;
  const prepare = async (backends: ClusterBackends) => {
    say('Migrating the database …');
    await assertKnownSchema(backends.databaseUrl);
    await migrate(backends.databaseUrl);
    say('Seeding the demo realm …');
    // A start that fails before is spared the second that loading the actions takes.
    const { seedDemo } = await import('./demo/seed.ts');
    demo = await seedDemo(backends, true);
    say('Starting the nodes …');
  };

  await provideFolder(dir);
  await using claim = await claimFolder(dir, publicUrl(settings.port));
  let cluster: Cluster | undefined;
  let alive: Alive | undefined;
  try {
    cluster = await startCluster({ ...settings, ...counts, prepare, signal: stop, say });
    claim.takeCommandsFor(cluster);
    const { bringToLife } = await import('./demo/bring-to-life.ts');
    if (!demo) throw new Error('Nobody has prepared the demo realm.');
    alive = await bringToLife(cluster, demo, { signal: stop, say });
    const { users } = alive;
    writeJson(devFile, { base_url: cluster.baseUrl, users });
    const inDir = (name: string) => join(shortest(dir), name);
    const mail = process.env.SMTP_URL ? 'over SMTP_URL' : inDir('mail');
    const [logs, logins] = [inDir('logs'), inDir('dev.json')];
    say(announce({ baseUrl: cluster.baseUrl, users, logs, mail, logins }));
    await aborted(stop);
  } finally {
    if (cluster) await rm(devFile, { force: true });
    await alive?.stop();
    await cluster?.stop();
  }
  say('Stopped.');
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolved) => signal.addEventListener('abort', resolved, { once: true }));
}

function shortest(path: string): string {
  const fromHere = relative('.', path) || '.';
  return fromHere.startsWith('..') ? path : fromHere;
}
