import { type Database, readMigrationState } from '@parley/db';
import { readStreamEnds } from '@parley/log';
import * as model from '@parley/model';
import { createJobAdmin, recurringQueue } from '@parley/redis';

import type { Deployment } from './deployment.ts';
import { describeFailure, failureText } from './describe-failure.ts';

/** What was looked at, whether it is as it should be, and what was seen. */
export interface Check {
  name: string;
  ok: boolean;
  detail: string;
}

/** Looks at everything that a deployment depends on. What cannot be looked at is not as it should be. */
export async function checkHealth(deployment: Deployment, nowMs: number): Promise<Check[]> {
  const checks: [string, () => Promise<Omit<Check, 'name'>>][] = [
    ['postgres', () => checkPostgres(deployment)],
    ['migrations', () => checkMigrations(deployment)],
    ['redis', () => checkRedis(deployment)],
    ['streams', () => checkStreams(deployment)],
    ['workers', () => checkWorkers(deployment)],
    ['due work', () => checkDueWork(deployment.engine.db, nowMs)],
  ];
  return await Promise.all(
    checks.map(async ([name, check]) => {
      try {
        return { name, ...(await check()) };
      } catch (error) {
        return { name, ok: false, detail: failureText(describeFailure(error)).replaceAll('\n', ' ') };
      }
    }),
  );
}

const postgresMin = 15;
const redisMin = 7;

async function checkPostgres({ engine }: Deployment) {
  const startedMs = performance.now();
  const [row] = await engine.sql<{ version: string }[]>`select current_setting('server_version') as version`;
  const ms = Math.round(performance.now() - startedMs);
  const version = row?.version ?? '0';
  const detail = `version ${version}, answered in ${ms} ms`;
  if (Number.parseInt(version, 10) >= postgresMin) return { ok: true, detail };
  return { ok: false, detail: `${detail}; needs ${postgresMin} or newer` };
}

async function checkMigrations({ engine }: Deployment) {
  const { pending, applied } = await readMigrationState(engine.sql);
  if (pending.length === 0) return { ok: true, detail: `${applied} applied` };
  return {
    ok: false,
    detail: `${pending.length} to apply, starting with ${pending[0]}: run \`parley migrate\``,
  };
}

async function checkRedis(deployment: Deployment) {
  const info = await deployment.getRedis().info();
  const read = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
  const [version, memory, policy] = ['redis_version', 'used_memory_human', 'maxmemory_policy'].map(read);
  const detail = `version ${version}, ${memory} used`;
  if (Number.parseInt(version ?? '', 10) < redisMin) {
    return { ok: false, detail: `${detail}; needs ${redisMin} or newer` };
  }
  if (policy === 'noeviction') return { ok: true, detail };
  return { ok: false, detail: `${detail}; maxmemory-policy is ${policy}, but must be noeviction` };
}

/** What Redis does not carry is no mistake: nodes read it from Postgres. */
async function checkStreams(deployment: Deployment) {
  const { engine, partitions } = deployment;
  const ends = await readStreamEnds(engine.sql, deployment.getRedis(), partitions);
  const carried = ends.filter(({ isCarried }) => isCarried).length;
  return { ok: true, detail: `${carried} of ${ends.length} partitions have the newest entry of their logs` };
}

async function checkWorkers(deployment: Deployment) {
  await using jobs = createJobAdmin(deployment.getRedis());
  const queues = await jobs.count();
  // Every worker takes jobs that recur.
  const workers = queues.find(({ queue }) => queue === recurringQueue)?.workers ?? 0;
  const failed = queues.reduce((sum, queue) => sum + queue.failed, 0);
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
  return { ok: workers > 0, detail: `${workers} connected; ${waiting} jobs waiting, ${failed} failed` };
}

async function checkDueWork(db: Database, nowMs: number) {
  const work = await model.dueWork.listDueWork(db, new Date(nowMs));
  const detail = work
    .map(({ kind, due, late }) => `${kind} ${due}${late ? ` (${late} late)` : ''}`)
    .join(', ');
  return { ok: work.every(({ late }) => late === 0), detail };
}
