import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startRedis } from '@parley/infra';
import { createLogger } from '@parley/kit';
import { runJobs } from '@parley/worker';
import { expect, test } from 'vitest';

import { getWorld, jobDeps, parley, withProcesses } from '../support/index.ts';

interface Health {
  ok: boolean;
  checks: { name: string; ok: boolean; detail: string }[];
}

async function health(env: NodeJS.ProcessEnv = {}) {
  const { code, stdout } = await parley(['health', '--json'], { env });
  const { ok, checks } = JSON.parse(stdout) as Health;
  return { code, ok, bad: checks.filter((check) => !check.ok), checks };
}

test('a deployment is healthy when everything is there', withProcesses, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'parley-redis-'));
  // Whoever is connected to the Redis of other tests may be a worker.
  const redis = await startRedis({ dir, say: () => undefined });
  const env = { REDIS_URL: redis.url };
  expect(await health(env)).toMatchObject({ code: 1, ok: false, bad: [{ name: 'workers' }] });
  const logger = createLogger({ role: 'test', level: 'silent' });
  const deps = { ...(await jobDeps()), redisUrl: redis.url, logger };
  const worker = runJobs({ recurring: [], onDemand: [] }, deps);
  const seen = await health(env);
  await worker[Symbol.asyncDispose]();
  await redis.stop();
  await rm(dir, { recursive: true, force: true });
  expect(seen).toMatchObject({ code: 0, ok: true, bad: [] });
});

test('what is late, and what is away, is said', withProcesses, async () => {
  const { sql } = await getWorld();
  await sql`insert into loose_folders (folder, remove_after) values ('old', now() - interval '2 days')`;
  const seen = await health({ REDIS_URL: 'redis://127.0.0.1:1' });
  expect(seen.code).toBe(1);
  expect(seen.bad.map(({ name }) => name)).toEqual(['redis', 'streams', 'workers', 'due work']);
  expect(seen.checks.find(({ name }) => name === 'due work')?.detail).toContain('1 late');
  const lost = await health({ DATABASE_URL: 'postgres://127.0.0.1:1/none' });
  expect(lost.bad.map(({ name }) => name)).toEqual(expect.arrayContaining(['postgres', 'migrations']));
});
