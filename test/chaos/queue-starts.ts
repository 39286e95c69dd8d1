import { createLogger, pause, systemClock } from '@parley/kit';
import { connectRedis, createRegistry, createSigner, redisReady } from '@parley/redis';

import type { QueueStart } from './checker.ts';

const redisMsMax = 10_000;
/** Whoever compares what hundreds of thousands of clients heard takes long to come back to its connections. */
const commandMsMax = 60_000;
/** Redis may be away for a while. */
const failuresMax = 200;

export interface QueueStarts extends Disposable {
  /** Where a queue began, as the registry has it. */
  of(queueId: string): Promise<QueueStart>;
}

export async function openQueueStarts(redisUrl: string, secret: string): Promise<QueueStarts> {
  const logger = createLogger({ role: 'test', level: 'error' });
  const redis = connectRedis({ url: redisUrl, name: 'test-queues', logger, commandMsMax });
  await redisReady(redis, redisMsMax);
  const registry = createRegistry(redis, createSigner([secret]), systemClock);
  return {
    async of(queueId) {
      for (let failures = 0; ; failures += 1) {
        const found = await registry.lookUp(queueId).catch(() => null);
        if (found?.record) return { idForm: found.record.idForm, seq: found.record.registeredAt };
        if (failures === failuresMax) throw new Error(`There is no queue ${queueId}.`);
        await pause(100);
      }
    },
    [Symbol.dispose]: () => redis.disconnect(),
  };
}
