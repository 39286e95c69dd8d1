import type { Cluster, Role } from '@parley/infra';
import { pause } from '@parley/kit';
import { Redis } from 'ioredis';

/** What is broken while clients send and listen. */
export interface Scenario {
  name: string;
  about: string;
  /** Breaks things until the signal aborts; calls `onFault` at each. */
  run(cluster: Cluster, signal: AbortSignal, onFault: (what: string) => void): Promise<void>;
}

const everyMs = 2500;

function killInTurn(role: Role): Scenario['run'] {
  return async (cluster, signal, onFault) => {
    const nodes = cluster.nodes.filter((node) => node.role === role);
    for (let turn = 0; !signal.aborted; turn += 1) {
      await pause(everyMs, signal);
      const node = nodes[turn % nodes.length];
      if (signal.aborted || !node?.pid) continue;
      onFault(`SIGKILL ${node.name}`);
      cluster.kill(node, 'SIGKILL');
      await cluster.whenReady().catch(() => undefined);
    }
  };
}

export const scenarios: readonly Scenario[] = [
  { name: 'kill-queue', about: 'SIGKILL of every queue node in turn', run: killInTurn('queue') },
  { name: 'kill-api', about: 'SIGKILL of every api node in turn', run: killInTurn('api') },
  {
    name: 'flush-redis',
    about: 'FLUSHALL, and every third time a restart with nothing kept',
    async run(cluster, signal, onFault) {
      for (let turn = 1; !signal.aborted; turn += 1) {
        await pause(everyMs * 2, signal);
        if (signal.aborted) return;
        if (turn % 3 === 0) {
          onFault('restart Redis, empty');
          await restartEmpty(cluster);
        } else {
          onFault('FLUSHALL');
          await flush(cluster);
        }
      }
    },
  },
  {
    name: 'restart-postgres',
    about: 'Postgres stops and starts again: writes wait, nothing half-happens',
    async run(cluster, signal, onFault) {
      while (!signal.aborted) {
        await pause(everyMs * 2, signal);
        if (signal.aborted) return;
        onFault('restart Postgres');
        await restartPostgres(cluster);
      }
    },
  },
  {
    name: 'deploy',
    about: 'every node in turn is drained and started anew, as a rolling deploy does',
    async run(cluster, signal, onFault) {
      for (let turn = 0; !signal.aborted; turn += 1) {
        await pause(everyMs / 2, signal);
        const node = cluster.nodes[turn % cluster.nodes.length];
        if (signal.aborted || !node) return;
        onFault(`drain ${node.name}`);
        await cluster.drain(node);
        await cluster.start(node);
      }
    },
  },
  { name: 'calm', about: 'nothing is broken', run: async (_cluster, signal) => pause(2 ** 31 - 1, signal) },
];

async function flush({ redis }: Cluster): Promise<void> {
  const client = new Redis(redis.url);
  await client.flushall();
  client.disconnect();
}

async function restartPostgres({ postgres }: Cluster): Promise<void> {
  if (!postgres.restart)
    throw new Error('This Postgres was given by its URL: start the run without DATABASE_URL.');
  await postgres.restart();
}

async function restartEmpty({ redis }: Cluster): Promise<void> {
  if (!redis.restart) throw new Error('This Redis was given by its URL: start the run without REDIS_URL.');
  await redis.restart({ empty: true });
}
