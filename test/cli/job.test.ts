import { createLogger, systemClock } from '@parley/kit';
import { createJobQueues } from '@parley/redis';
import { runJobs } from '@parley/worker';
import { expect, test, vi } from 'vitest';

import { jobDeps, openEmptyRedis, parley, parleyJson, withProcesses } from '../support/index.ts';

interface Failed {
  failed: { queue: string; id: string; name: string; reason: string }[];
}

const logger = createLogger({ role: 'test', level: 'silent' });

test('failed jobs are listed, replayed and dropped', withProcesses, async () => {
  const { url, redis } = await openEmptyRedis();
  const env = { REDIS_URL: url };
  let runs = 0;
  let works = false;
  const run = () => {
    runs += 1;
    return works ? Promise.resolve({}) : Promise.reject(new Error('The moon was in the way.'));
  };
  const deps = { ...(await jobDeps()), redisUrl: url, logger };
  const recurring = ['one-job', 'other-job'].map((name) => ({ name, everySeconds: 3600, run }));
  const worker = runJobs({ recurring, onDemand: [] }, deps);

  const listFailed = async () => (await parleyJson<Failed>(['job', 'failed'], { env })).failed;
  await vi.waitUntil(() => runs === 2, { timeout: 60_000 });
  const failed = await vi.waitUntil(
    async () => {
      const list = await listFailed();
      return list.length === 2 && list;
    },
    { timeout: 60_000, interval: 100 },
  );
  expect(failed).toMatchObject([
    { queue: 'recurring', reason: 'The moon was in the way.' },
    { queue: 'recurring', reason: 'The moon was in the way.' },
  ]);
  const [first, second] = failed;
  const { queues } = await parleyJson<{ queues: object[] }>(['job', 'list'], { env });
  expect(queues).toContainEqual(expect.objectContaining({ queue: 'recurring', failed: 2 }));

  works = true;
  const change = (...args: string[]) => parley(['job', ...args, '--queue', 'recurring'], { env });
  expect(await change('replay', String(first?.id))).toMatchObject({ code: 0 });
  await vi.waitUntil(() => runs === 3, { timeout: 60_000 });
  expect(await change('replay')).toMatchObject({ code: 1, stderr: expect.stringContaining('--all') });
  expect(await change('drop', 'nothing')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing'),
  });
  expect(await listFailed()).toMatchObject([{ id: second?.id }]);
  expect(await change('drop', '--all')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 jobs') });
  expect(await listFailed()).toEqual([]);
  expect(runs).toBe(3);

  await worker[Symbol.asyncDispose]();
  await redis.flushdb();
  redis.disconnect();
});

test(
  'a job on demand that failed is listed, and is asked for again all the same',
  withProcesses,
  async () => {
    const { url, redis } = await openEmptyRedis();
    const env = { REDIS_URL: url };
    const runs: number[] = [];
    const run = (_deps: unknown, id: number) => {
      runs.push(id);
      return Promise.reject(new Error('The post office is closed.'));
    };
    const deps = { ...(await jobDeps()), redisUrl: url, logger };
    const worker = runJobs({ recurring: [], onDemand: [{ name: 'send-mail', concurrency: 1, run }] }, deps);
    const jobs = createJobQueues(redis, systemClock, logger);
    const listFailed = () => parleyJson<Failed>(['job', 'failed'], { env }).then(({ failed }) => failed);

    for (const count of [1, 2]) {
      jobs.enqueue({ name: 'send-mail', id: 7 });
      await vi.waitUntil(() => runs.length === count, { timeout: 60_000 });
      await vi.waitUntil(async () => (await listFailed()).length === count, {
        timeout: 60_000,
        interval: 100,
      });
    }
    const failed = await listFailed();
    expect(failed[0]).toMatchObject({ queue: 'send-mail', about: 7, reason: 'The post office is closed.' });

    await worker[Symbol.asyncDispose]();
    await redis.flushdb();
    redis.disconnect();
  },
);
