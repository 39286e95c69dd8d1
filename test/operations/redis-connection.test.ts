import { createLogger } from '@parley/kit';
import { connectRedis, redisReady } from '@parley/redis';
import { expect, test, vi } from 'vitest';

import { getWorld } from '../support/index.ts';

test('a process that was held up keeps its connection to a Redis that has answered', async () => {
  const logger = createLogger({ role: 'test', level: 'silent' });
  const redis = connectRedis({ url: (await getWorld()).redisUrl, name: 'test-held-up', logger });
  const reconnecting = vi.fn();
  redis.on('reconnecting', reconnecting);
  try {
    await redisReady(redis, 60_000);
    const ping = redis.ping.bind(redis);
    let heldUp = 0;
    const asking = vi.spyOn(redis, 'ping').mockImplementation(async () => {
      const answer = ping();
      // It has been sent by then, and its answer is not read before the time for that is over.
      if (heldUp++ === 0)
        setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500));
      return await answer;
    });
    await vi.waitUntil(() => asking.mock.calls.length > 2, { timeout: 60_000 });
    await expect(asking.mock.results[0]?.value).rejects.toThrow('timed out');
    await expect(asking.mock.results[2]?.value).resolves.toBe('PONG');
    expect(reconnecting).not.toHaveBeenCalled();
  } finally {
    redis.disconnect();
  }
});
