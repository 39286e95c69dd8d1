import type { Cluster, ClusterNode, Role } from '@parley/infra';
import { pause } from '@parley/kit';
import { Redis } from 'ioredis';

import { type Receiver, illnesses } from './receiver.ts';

/** What is broken while clients send and listen. */
export interface Scenario {
  name: string;
  about: string;
  /** Whether messages are scheduled all the while, and sent by workers. */
  schedules?: boolean;
  /** Whether bots are asked all the while, whose service workers ask. */
  asks?: boolean;
  /** Time between two faults in a run that goes on for a time. */
  everyMs: number;
  /** Number of turns after which it has broken everything that it can break. */
  turnsPerRound(cluster: Cluster): number;
  /** Breaks one thing, the next at each turn; calls `onFault` when it does. Resolves when all that is wanted runs again. */
  breakOne(
    cluster: Cluster,
    turn: number,
    onFault: (what: string) => void,
    receiver: Receiver,
  ): Promise<void>;
}

const everyMs = 2500;
/** Longer than it takes to notice. */
const hangMs = 5000;
/** This says that nobody watches, and nothing about speed. */
const noticeMsMax = 60_000;

type Breaking = Pick<Scenario, 'turnsPerRound' | 'breakOne'>;

/** Sends a signal to each node of a role in turn. */
function inTurn(
  role: Role,
  signal: NodeJS.Signals,
  untilNoticed: (node: ClusterNode, pid: number | undefined) => Promise<void>,
): Breaking {
  const nodesOf = (cluster: Cluster) => cluster.nodes.filter((node) => node.role === role);
  return {
    turnsPerRound: (cluster) => nodesOf(cluster).length,
    async breakOne(cluster, turn, onFault) {
      const nodes = nodesOf(cluster);
      const node = nodes[turn % nodes.length];
      if (!node) throw new Error(`There is no ${role} node.`);
      onFault(`${signal} ${node.name}`);
      const { pid } = node;
      cluster.kill(node, signal);
      await untilNoticed(node, pid);
      await cluster.whenReady();
    },
  };
}

const killInTurn = (role: Role) => inTurn(role, 'SIGKILL', () => Promise.resolve());

/** A node that hangs is replaced. */
const hangInTurn = (role: Role) =>
  inTurn(role, 'SIGSTOP', async (node, pid) => {
    const giveUpMs = Date.now() + noticeMsMax;
    while (node.pid === pid) {
      if (Date.now() > giveUpMs) throw new Error(`Nobody noticed that ${node.name} hangs.`);
      await pause(20);
    }
  });

function hangFor(name: string, serverOf: (cluster: Cluster) => Parameters<Cluster['hang']>[0]): Breaking {
  return {
    turnsPerRound: () => 1,
    async breakOne(cluster, _turn, onFault) {
      onFault(`SIGSTOP ${name} for ${hangMs / 1000} s`);
      const resume = await cluster.hang(serverOf(cluster));
      await pause(hangMs);
      await resume();
    },
  };
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'kill-queue',
    about: 'SIGKILL of every queue node in turn',
    everyMs,
    ...killInTurn('queue'),
  },
  { name: 'kill-api', about: 'SIGKILL of every api node in turn', everyMs, ...killInTurn('api') },
  {
    name: 'kill-worker',
    about: 'SIGKILL of every worker in turn, while messages are scheduled and bots asked',
    schedules: true,
    asks: true,
    everyMs,
    ...killInTurn('worker'),
  },
  {
    name: 'hang-worker',
    about: 'SIGSTOP of every worker in turn, while messages are scheduled and bots asked',
    schedules: true,
    asks: true,
    everyMs,
    ...hangInTurn('worker'),
  },
  {
    name: 'receiver-down',
    about: 'the service of a bot is down, answers 503, says nothing, redirects elsewhere',
    asks: true,
    everyMs,
    turnsPerRound: () => illnesses.length,
    async breakOne(_cluster, turn, onFault, receiver) {
      const illness = illnesses[turn % illnesses.length];
      if (!illness) throw new Error('There is no illness.');
      onFault(`the service ${illness} for ${hangMs / 1000} s`);
      await receiver.fallIll(illness);
      await pause(hangMs);
      await receiver.recover();
    },
  },
  {
    name: 'flush-redis',
    about: 'FLUSHALL, and every third time a restart with nothing kept',
    everyMs: everyMs * 2,
    turnsPerRound: () => 3,
    async breakOne(cluster, turn, onFault) {
      if (turn % 3 === 2) {
        onFault('restart Redis, empty');
        await restartEmpty(cluster);
      } else {
        onFault('FLUSHALL');
        await flush(cluster);
      }
    },
  },
  {
    name: 'restart-postgres',
    about: 'Postgres stops and starts again: writes wait, nothing half-happens',
    everyMs: everyMs * 2,
    turnsPerRound: () => 2,
    async breakOne(cluster, _turn, onFault) {
      onFault('restart Postgres');
      await restartPostgres(cluster);
    },
  },
  {
    name: 'hang-queue',
    about: 'SIGSTOP of every queue node in turn',
    everyMs,
    ...hangInTurn('queue'),
  },
  { name: 'hang-api', about: 'SIGSTOP of every api node in turn', everyMs, ...hangInTurn('api') },
  {
    name: 'hang-redis',
    about: `SIGSTOP of Redis for ${hangMs / 1000} s`,
    everyMs: everyMs * 2,
    ...hangFor('Redis', ({ redis }) => redis),
  },
  {
    name: 'hang-postgres',
    about: `SIGSTOP of Postgres for ${hangMs / 1000} s`,
    everyMs: everyMs * 2,
    ...hangFor('Postgres', ({ postgres }) => postgres),
  },
  {
    name: 'deploy',
    about: 'every node in turn is drained and started anew, as a rolling deploy does',
    everyMs: everyMs / 2,
    turnsPerRound: (cluster) => cluster.nodes.length,
    async breakOne(cluster, turn, onFault) {
      const node = cluster.nodes[turn % cluster.nodes.length];
      if (!node) throw new Error('There is no node.');
      onFault(`drain ${node.name}`);
      await cluster.drain(node);
      await cluster.start(node);
    },
  },
  {
    name: 'calm',
    about: 'nothing is broken',
    everyMs,
    turnsPerRound: () => 1,
    breakOne: () => Promise.resolve(),
  },
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
