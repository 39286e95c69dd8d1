import type { Cluster } from '@parley/infra';
import { pause } from '@parley/kit';
import { connectSql } from '@parley/log';
import { keys } from '@parley/redis';

import { killNodes, ofWorkers } from './nodes.ts';
import { flush, ours, withRedis } from './ours.ts';
import { type Scenario, everyMs, forAWhile } from './scenario.ts';

const once = () => 1;

/** Longer than nodes take on a busy machine to write back the queues that Redis has lost. */
const writtenBackMs = 60_000;

const countQueues = (redisUrl: string): Promise<number> =>
  withRedis(redisUrl, async (client) => (await client.keys(keys.queue('*'))).length);

/** Waits until Redis has as many queues as before. Where nobody writes them back, whoever needs them finds out. */
async function waitForQueues(redisUrl: string, before: number): Promise<void> {
  const untilMs = Date.now() + writtenBackMs;
  while (Date.now() < untilMs && (await countQueues(redisUrl)) < before) await pause(100);
}

function hang(
  name: string,
  serverOf: (cluster: Cluster) => Parameters<Cluster['hang']>[0],
): Pick<Scenario, 'everyMs' | 'turnsPerRound' | 'breakOne'> {
  return {
    everyMs: everyMs * 2,
    turnsPerRound: once,
    async breakOne(stage) {
      const resume = await stage.cluster.hang(serverOf(stage.cluster));
      await forAWhile(stage, `SIGSTOP ${name}`, resume);
    },
  };
}

export const serverScenarios: readonly Scenario[] = [
  {
    name: 'flush-redis',
    about:
      'FLUSHALL or a restart with nothing kept, by turns, and the end of all queue nodes once queues are written back',
    everyMs: everyMs * 2,
    turnsPerRound: () => 2,
    async breakOne(stage, turn) {
      const { cluster, onFault } = stage;
      const { redis } = cluster;
      const before = await countQueues(redis.url);
      if (turn % 2 === 0) await flush(stage);
      else {
        onFault('restart Redis, empty');
        await ours(redis.restart)({ empty: true });
      }
      await waitForQueues(redis.url, before);
      // A queue that stays at its node needs no Redis.
      killNodes(stage, 'queue');
      await cluster.whenReady();
    },
  },
  {
    name: 'fill-redis',
    about: 'Redis has no memory left, and refuses every write',
    everyMs: everyMs * 2,
    turnsPerRound: once,
    async breakOne(stage) {
      const limit = async (bytes: number) => {
        await withRedis(stage.cluster.redis.url, (client) => client.config('SET', 'maxmemory', bytes));
      };
      await limit(1);
      await forAWhile(stage, 'Redis is full', () => limit(0));
    },
  },
  {
    name: 'hang-redis',
    about: 'SIGSTOP of Redis',
    ...hang('Redis', ({ redis }) => redis),
  },
  {
    name: 'restart-postgres',
    about: 'Postgres stops and starts again: writes wait, nothing half-happens',
    everyMs: everyMs * 2,
    turnsPerRound: () => 2,
    async breakOne({ cluster: { postgres }, onFault }) {
      onFault('restart Postgres');
      await ours(postgres.restart)();
    },
  },
  {
    name: 'hang-postgres',
    about: 'SIGSTOP of Postgres',
    ...hang('Postgres', ({ postgres }) => postgres),
  },
  {
    name: 'read-only',
    about: 'Postgres refuses every write, as one that is full or was demoted',
    everyMs: everyMs * 2,
    turnsPerRound: once,
    async breakOne(stage) {
      await setReadOnly(stage.links.databaseUrl, true);
      await forAWhile(stage, 'Postgres is read-only', () => setReadOnly(stage.links.databaseUrl, false));
    },
  },
];

/** A master dies, and starts again when a replica has taken its place. */
const redisFailOver = (redis: 'sentinel' | 'cluster', about: string, turns: number): Scenario => ({
  name: `redis-${redis}`,
  about,
  redis,
  ...ofWorkers,
  everyMs: everyMs * 2,
  turnsPerRound: () => turns,
  async breakOne({ cluster, onFault }) {
    onFault('SIGKILL a master of Redis');
    const { redis } = cluster;
    await ours(redis.failOver?.bind(redis))();
  },
});

export const redisGroupScenarios: readonly Scenario[] = [
  redisFailOver('sentinel', 'the master of Redis dies, and sentinels choose a replica', 2),
  redisFailOver(
    'cluster',
    'one master of a Redis Cluster after the other dies, and its replica takes over',
    3,
  ),
];

async function setReadOnly(databaseUrl: string, isReadOnly: boolean): Promise<void> {
  const sql = connectSql({ url: databaseUrl, name: 'chaos', max: 1 });
  try {
    // What says so has to be written itself.
    await sql`set default_transaction_read_only = off`;
    await sql.unsafe(`alter system set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
    await sql`select pg_reload_conf()`;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
