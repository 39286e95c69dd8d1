import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startRedis } from '@parley/infra';
import { createLogger, systemClock } from '@parley/kit';
import { type JobQueues, connectForJobs, createJobQueues, keys, redisReady } from '@parley/redis';
import { QueueWorker, openWorker } from '@parley/worker';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const logger = createLogger({ role: 'test', level: 'silent' });
const until = (isSo: () => boolean | Promise<boolean>) =>
  vi.waitUntil(isSo, { timeout: 60_000, interval: 20 });

let dir: string;
// Workers of other tests fetch from the Redis that they share.
let server: Awaited<ReturnType<typeof startRedis>>;
let redis: ReturnType<typeof connectForJobs>;
let queues: JobQueues;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'parley-redis-'));
  server = await startRedis({ dir, say: () => undefined });
  redis = connectForJobs(server.url);
  await redisReady(redis, 10_000);
  queues = createJobQueues(redis, systemClock, logger);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
  await rm(dir, { recursive: true, force: true });
});

/** Opens what never comes back from fetching, as often as told, and then what BullMQ does. Counts what was opened and abandoned. */
function startQueue(name: 'deliver-due' | 'notify-realm', stuck: number, run: () => Promise<void>) {
  const seen = { opened: 0, abandoned: 0, ran: 0 };
  const queue = {
    name,
    concurrency: 1,
    watching: redis,
    logger,
    async run() {
      await run();
      seen.ran += 1;
      return {};
    },
  };
  const worker = new QueueWorker(queue, (counted) => {
    seen.opened += 1;
    if (seen.opened > stuck)
      return openWorker({ redisUrl: server.url, logger }, { name, concurrency: 1, run: counted });
    const abandon = () => {
      seen.abandoned += 1;
    };
    return { end: () => Promise.resolve(), abandon };
  });
  const enqueue = (id: number) => queues.enqueue({ name, id });
  const areWaiting = async () => (await redis.zcard(`${keys.jobs}:${name}:marker`)) > 0;
  return { seen, worker, enqueue, areWaiting };
}

test('a worker that does not fetch what waits is replaced, once', async () => {
  const { seen, worker, enqueue, areWaiting } = startQueue('deliver-due', 1, () => Promise.resolve());
  enqueue(1);
  await until(areWaiting);
  await worker.replaceIfStuck();
  expect(seen).toEqual({ opened: 1, abandoned: 0, ran: 0 });
  await worker.replaceIfStuck();
  expect(seen).toMatchObject({ opened: 2, abandoned: 1 });
  await until(() => seen.ran === 1);
  // BullMQ takes the mark away when it next waits for jobs, which is after it has run what it found without waiting.
  await until(async () => !(await areWaiting()));
  for (let look = 0; look < 3; look += 1) await worker.replaceIfStuck();
  expect(seen).toEqual({ opened: 2, abandoned: 1, ran: 1 });
  await worker.end();
});

test('a worker that is busy keeps its place, however long others wait for it', async () => {
  let release: () => void = () => undefined;
  const work = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { seen, worker, enqueue, areWaiting } = startQueue('notify-realm', 0, () => work);
  enqueue(1);
  await until(async () => (await redis.llen(`${keys.jobs}:notify-realm:active`)) === 1);
  enqueue(2);
  await until(areWaiting);
  for (let look = 0; look < 3; look += 1) await worker.replaceIfStuck();
  expect(seen).toEqual({ opened: 1, abandoned: 0, ran: 0 });
  release();
  await until(() => seen.ran === 2);
  await worker.end();
});
