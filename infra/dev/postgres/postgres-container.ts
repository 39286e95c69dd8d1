import type { Say } from '../machine/say.ts';
import type { Postgres } from './postgres.ts';

/** Starts Postgres in a container, as a last resort. `reason` says why nothing better was found. */
export async function startPostgresContainer(reason: unknown, say: Say): Promise<Postgres> {
  // Importing this takes half a second, and it is almost never needed.
  const { GenericContainer, Wait } = await import('testcontainers');
  say('Starting Postgres in a container …');
  const container = await new GenericContainer('postgres:17-alpine')
    .withEnvironment({ POSTGRES_USER: 'parley', POSTGRES_PASSWORD: 'parley', POSTGRES_DB: 'parley' })
    .withCommand(['postgres', '-c', 'max_connections=400'])
    .withExposedPorts(5432)
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .start()
    .catch((error: Error) => {
      const why = reason instanceof Error ? reason.message : String(reason);
      throw new Error(`${why}\nOr start Docker: a container serves as well (${error.message}).`);
    });

  const port = container.getMappedPort(5432);
  const stop = async () => void (await container.stop());
  return {
    url: `postgres://parley:parley@${container.getHost()}:${port}/parley`,
    port,
    source: 'a postgres:17 container',
    stop,
    restart: () => container.restart(),
    [Symbol.asyncDispose]: stop,
  };
}
