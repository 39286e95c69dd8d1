import type { Say } from '../machine/say.ts';
import { redisArguments, type Redis } from './redis.ts';
import { withRedis } from './with-redis.ts';

/** Starts Redis in a container, as a last resort. `reason` says why nothing better was found. */
export async function startRedisContainer(reason: unknown, say: Say): Promise<Redis> {
  // Importing this takes half a second, and it is almost never needed.
  const { GenericContainer, Wait } = await import('testcontainers');
  say('Starting Redis in a container …');
  const container = await new GenericContainer('redis:7-alpine')
    .withCommand(['redis-server', ...redisArguments])
    .withExposedPorts(6379)
    .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
    .start()
    .catch((error: Error) => {
      const why = reason instanceof Error ? reason.message : String(reason);
      throw new Error(`${why}\nOr start Docker: a container serves as well (${error.message}).`);
    });

  const port = container.getMappedPort(6379);
  const url = `redis://${container.getHost()}:${port}`;
  const stop = async () => void (await container.stop());
  return {
    url,
    port,
    source: 'a redis:7 container',
    stop,
    async restart({ empty = false } = {}) {
      await withRedis(url, (redis) => (empty ? redis.flushall() : redis.save()));
      await container.restart();
    },
    [Symbol.asyncDispose]: stop,
  };
}
