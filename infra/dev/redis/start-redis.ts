import { closeSync, openSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { freePort } from '../machine/free-port.ts';
import { retryUntil } from '../machine/retry-until.ts';
import { sayOnStdout, type Say } from '../machine/say.ts';
import { findServerUser, folderFor } from '../machine/server-user.ts';
import { Supervised } from '../machine/supervise.ts';
import { tail } from '../machine/tail.ts';
import { spawnTied } from '../machine/tied-process.ts';
import { findRedisBinary, type RedisBinary } from './redis-binary.ts';
import { startRedisContainer } from './redis-container.ts';
import { startRedisCluster, startRedisWithSentinels } from './redis-group.ts';
import { redisArguments, type Redis } from './redis.ts';
import { withRedis } from './with-redis.ts';

export interface RedisOptions {
  dir: string;
  /** The URL of an existing Redis, which is used instead of starting one. */
  url?: string | undefined;
  /** One server, one with replicas and sentinels, or a cluster with replicas. */
  kind?: 'alone' | 'sentinel' | 'cluster' | undefined;
  say?: Say;
}

/** Starts an empty Redis. It listens on loopback and ends with this process. */
export async function startRedis(options: RedisOptions): Promise<Redis> {
  const { url, kind = 'alone', say = sayOnStdout } = options;
  if (url) return givenRedis(url);
  if (kind === 'sentinel') return await startRedisWithSentinels(resolve(options.dir), say);
  if (kind === 'cluster') return await startRedisCluster(resolve(options.dir), say);
  let binary: RedisBinary;
  try {
    binary = await findRedisBinary(say);
  } catch (error) {
    return await startRedisContainer(error, say);
  }
  return await startServer(binary, resolve(options.dir), say);
}

async function givenRedis(url: string): Promise<Redis> {
  await withRedis(url, (redis) => redis.ping()).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The Redis at REDIS_URL does not answer (${why}). Start it, or unset REDIS_URL to use one of our own.`,
    );
  });
  const stop = async () => {};
  return { url, source: 'REDIS_URL', stop, [Symbol.asyncDispose]: stop };
}

async function startServer({ path, libraries, source }: RedisBinary, dir: string, say: Say): Promise<Redis> {
  const user = await findServerUser();
  const home = await folderFor(user, dir, 'redis', say);
  const saved = join(home, 'dump.rdb');
  const logs = join(dir, 'logs');
  await mkdir(logs, { recursive: true });
  const log = join(logs, 'redis.log');
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const where = ['--port', String(port), '--bind', '127.0.0.1', '--dir', home, '--tcp-backlog', '4096'];
  // Each of the processes that tests run in has one that the others leave alone.
  where.push('--databases', '64');

  const server = new Supervised(
    {
      name: 'redis',
      spawn() {
        const output = openSync(log, 'a');
        const child = spawnTied(path, [...where, ...redisArguments], {
          cwd: '/',
          env: { PATH: process.env.PATH, ...(libraries && { LD_LIBRARY_PATH: libraries }) },
          stdio: ['ignore', output, output],
          deathSignal: 'TERM',
          user,
        });
        closeSync(output);
        return child;
      },
      ready: (_, signal) => retryUntil(() => withRedis(url, (redis) => redis.ping()), signal),
      readyMsMax: 30_000,
      stopSignal: 'SIGTERM',
    },
    say,
  );

  const start = async () => {
    await server.start().catch(async (error: Error) => {
      throw new Error(`${error.message}. This is the end of ${log}:\n\n${await tail(log)}`, { cause: error });
    });
    // The saved data has been loaded by now, and must not come back after a later crash.
    await rm(saved, { force: true });
  };
  await rm(saved, { force: true });
  await start();

  return {
    url,
    port,
    get pid() {
      return server.pid;
    },
    source,
    stop: () => server.stop(),
    async restart({ empty = false } = {}) {
      if (!empty) await withRedis(url, (redis) => redis.save());
      await server.stop();
      await start();
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
