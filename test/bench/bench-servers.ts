import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';

import * as actions from '@parley/actions';
import { type Sql, connectSql, migrate } from '@parley/db';
import { type Engine, createEngine } from '@parley/engine';
import { deriveApiKey } from '@parley/http';
import { makeTiedFolder, startPostgres, startRedis } from '@parley/infra';
import { createLogger, systemClock } from '@parley/kit';
import { createPublisher, createSender } from '@parley/log';
import { type Actor, actorOf } from '@parley/model';
import { type Redis, type Signer, connectRedis, createSigner, redisReady } from '@parley/redis';

const secret = 'a secret that only benchmarks know, and nobody guesses';
const partitions = 16;

/** What benchmarks stand on: durable Postgres, Redis, one realm with one person who sends. */
export interface BenchServers extends AsyncDisposable {
  /** Without Redis: what benchmarks fill the log with is told to nobody. */
  engine: Engine;
  sql: Sql;
  redis: Redis;
  signer: Signer;
  publisher: ReturnType<typeof createPublisher>;
  actor: Actor;
  sender: ReturnType<typeof createSender>;
  authorizationOf(user: { id: number; email: string }): string;
  /** Environment of a service that is measured. */
  env: Record<string, string>;
}

export async function startBenchServers(say: (line: string) => void): Promise<BenchServers> {
  const dir = await makeTiedFolder('parley-bench-');
  // Postgres does not run as root, and its own user has to get in.
  await chmod(dir, 0o755);
  const postgres = await startPostgres({ dir, durable: true, say });
  const redisServer = await startRedis({ dir, say });
  await migrate(postgres.url);
  const logger = createLogger({ role: 'bench', level: 'warn' });
  const engine = createEngine({
    databaseUrl: postgres.url,
    name: 'bench',
    connectionsMax: 8,
    redis: null,
    secrets: [secret],
    clock: systemClock,
    logger,
    partitions,
  });
  const sql = connectSql({ url: postgres.url, name: 'bench', max: 8 });
  const redis = connectRedis({ url: redisServer.url, name: 'bench', logger });
  await redisReady(redis, 5000);
  const signer = createSigner([secret]);
  const publisher = createPublisher({ redis, signer, clock: systemClock, logger, partitions });

  const founded = await engine.db.transaction((tx) =>
    actions.realms.create(tx, { name: 'demo', displayName: 'Bench', emailDomain: 'bench.invalid' }),
  );
  const home = { ...founded, host: 'localhost', emailDomain: 'bench.example', url: 'http://localhost' };
  const person = { email: 'sender@bench.example', fullName: 'Sender', role: 400 } as const;
  const { user } = await engine.perform(founded.id, actions.users.create, { realm: home, ...person });
  return {
    engine,
    sql,
    redis,
    signer,
    publisher,
    sender: createSender({ sql, publisher }),
    actor: actorOf(user, {
      ...home,
      name: 'demo',
      url: '',
      membersConversationId: founded.membersConversationId,
    }),
    authorizationOf: ({ id, email }) =>
      `Basic ${Buffer.from(`${email}:${deriveApiKey(secret, id, 1)}`).toString('base64')}`,
    env: {
      DATABASE_URL: postgres.url,
      REDIS_URL: redisServer.url,
      PARLEY_SECRET: secret,
      BASE_HOST: 'localhost',
      ROOT_REALM: 'demo',
      LOG_LEVEL: 'warn',
      UPLOADS_DIR: join(dir, 'uploads'),
      EVENTS_RATE_LIMIT: '60:100000000',
      RATE_LIMIT_BY_USER: '60:100000000',
    },
    async [Symbol.asyncDispose]() {
      redis.disconnect();
      await Promise.all([engine[Symbol.asyncDispose](), sql.end({ timeout: 5 })]);
      await redisServer.stop();
      await postgres.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
