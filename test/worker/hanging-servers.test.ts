import { createLogger, systemClock } from '@parley/kit';
import { createJobQueues } from '@parley/redis';
import { runJobs } from '@parley/worker';
import { expect, test, vi } from 'vitest';

import { getWorld, jobDeps, openEmptyRedis } from '../support/index.ts';

test('A server that hangs keeps no place of a worker from the organizations that another server holds.', async () => {
  const { engine } = await getWorld();
  const { redis, url } = await openEmptyRedis();
  const logger = createLogger({ role: 'test', level: 'silent' });
  const [away, there] = [1, 2];
  const silence = new AbortController();
  const silent = new Promise<never>((_, reject) => {
    silence.signal.addEventListener('abort', () => reject(new Error('It does not answer.')));
  });
  const servers = {
    ...engine.servers,
    whileAnswering: async <Result>(realmId: number, work: () => Promise<Result>) =>
      await (realmId === away ? Promise.race([work(), silent]) : work()),
  };
  const begun: (number | undefined)[] = [];
  const job = {
    name: 'send-mail' as const,
    concurrency: 1,
    run(_: unknown, _id: number, realmId?: number) {
      begun.push(realmId);
      return realmId === away ? new Promise<object>(() => undefined) : Promise.resolve({});
    },
  };
  const deps = { ...(await jobDeps({ engine: { ...engine, servers } })), redisUrl: url, logger };
  const worker = runJobs({ recurring: [], onDemand: [job] }, deps);
  const queues = createJobQueues(redis, systemClock, logger);

  queues.enqueue({ name: 'send-mail', id: 7, realmId: away });
  await vi.waitUntil(() => begun.length === 1, { timeout: 60_000 });
  queues.enqueue({ name: 'send-mail', id: 8, realmId: there });
  silence.abort();
  await vi.waitUntil(() => begun.length === 2, { timeout: 60_000 });
  expect(begun).toEqual([away, there]);

  await worker[Symbol.asyncDispose]();
  await redis.flushdb();
  redis.disconnect();
});
