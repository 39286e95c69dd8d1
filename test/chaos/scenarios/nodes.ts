import type { ClusterNode, Role } from '@parley/infra';
import { pause } from '@parley/kit';

import { scheduleSteadily } from '../scheduler.ts';
import { type Scenario, type Stage, everyMs } from './scenario.ts';

/** This says that nobody watches, and nothing about speed. */
const noticeMsMax = 60_000;

/** The node whose turn it is. */
export function nodeOf({ cluster, placeOf }: Stage, role: Role, turn: number): ClusterNode {
  const nodes = cluster.nodes.filter((node) => node.role === role);
  const node = nodes[placeOf(turn, nodes.length)];
  if (!node) throw new Error(`There is no ${role} node.`);
  return node;
}

export const countOf =
  (role: Role): Scenario['turnsPerRound'] =>
  ({ nodes }) =>
    nodes.filter((node) => node.role === role).length;

type Breaking = Pick<Scenario, 'everyMs' | 'turnsPerRound' | 'breakOne'>;

/** Sends a signal to each node of a role in turn. */
function inTurn(
  role: Role,
  signal: NodeJS.Signals,
  untilNoticed: (node: ClusterNode, pid: number | undefined) => Promise<void>,
): Breaking {
  return {
    everyMs,
    turnsPerRound: countOf(role),
    async breakOne(stage, turn) {
      const node = nodeOf(stage, role, turn);
      stage.onFault(`${signal} ${node.name}`);
      const { pid } = node;
      stage.cluster.kill(node, signal);
      await untilNoticed(node, pid);
      await stage.cluster.whenReady();
    },
  };
}

/** Ends all nodes of a role at once. */
export function killNodes({ cluster, onFault }: Stage, role: Role): void {
  for (const node of cluster.nodes.filter((one) => one.role === role)) {
    onFault(`SIGKILL ${node.name}`);
    cluster.kill(node);
  }
}

const kill = (role: Role) => inTurn(role, 'SIGKILL', () => Promise.resolve());

/** A node that hangs is replaced. */
const hang = (role: Role) =>
  inTurn(role, 'SIGSTOP', async (node, pid) => {
    const giveUpMs = Date.now() + noticeMsMax;
    while (node.pid === pid) {
      if (Date.now() > giveUpMs) throw new Error(`Nobody noticed that ${node.name} hangs.`);
      await pause(20);
    }
  });

/** Forward, back, and right. */
const clockSettings = 3;

/** Sets the clock of the node whose turn it is to its next setting. */
function setClock({ cluster, placeOf }: Stage, turn: number): ClusterNode {
  const node = cluster.nodes[placeOf(turn, cluster.nodes.length)];
  if (!node) throw new Error('There is no node.');
  cluster.kill(node, 'SIGUSR2');
  return node;
}

/** Messages that are scheduled a second. */
const schedulesPerSecond = 10;

export const ofWorkers: Pick<Scenario, 'schedules' | 'asks'> = {
  schedules: ({ cluster, realm, prefix, signal }) =>
    scheduleSteadily(cluster.baseUrl, realm, { perSecond: schedulesPerSecond, prefix, signal }),
  asks: true,
};

export const nodeScenarios: readonly Scenario[] = [
  { name: 'kill-queue', about: 'SIGKILL of every queue node in turn', ...kill('queue') },
  { name: 'kill-api', about: 'SIGKILL of every api node in turn', ...kill('api') },
  {
    name: 'kill-worker',
    about: 'SIGKILL of every worker in turn, while messages are scheduled and bots asked',
    ...ofWorkers,
    ...kill('worker'),
  },
  { name: 'hang-queue', about: 'SIGSTOP of every queue node in turn', ...hang('queue') },
  { name: 'hang-api', about: 'SIGSTOP of every api node in turn', ...hang('api') },
  {
    name: 'hang-worker',
    about: 'SIGSTOP of every worker in turn, while messages are scheduled and bots asked',
    ...ofWorkers,
    ...hang('worker'),
  },
  {
    name: 'skew-clock',
    about: 'the clock of every node in turn is set 90 s forward, then back, then right',
    everyMs: everyMs / 5,
    turnsPerRound: ({ nodes }) => nodes.length * clockSettings,
    async breakOne(stage, turn) {
      stage.onFault(`the clock of ${setClock(stage, turn).name} is set`);
      await Promise.resolve();
    },
    mend(stage, turns) {
      for (let turn = turns; turn % (stage.cluster.nodes.length * clockSettings) > 0; turn += 1) {
        setClock(stage, turn);
      }
    },
  },
  {
    name: 'deploy',
    about: 'every node in turn is drained and started anew, as a rolling deploy does',
    everyMs: everyMs / 2,
    turnsPerRound: ({ nodes }) => nodes.length,
    async breakOne({ cluster, placeOf, onFault }, turn) {
      const node = cluster.nodes[placeOf(turn, cluster.nodes.length)];
      if (!node) throw new Error('There is no node.');
      onFault(`drain ${node.name}`);
      await cluster.drain(node);
      await cluster.start(node);
    },
  },
  {
    name: 'scale',
    about: 'two queue nodes and an api node come, and go again',
    everyMs,
    turnsPerRound: () => 2,
    async breakOne({ cluster, onFault }, turn) {
      const change = turn % 2 === 0 ? 1 : -1;
      const queue = countOf('queue')(cluster) + 2 * change;
      const api = countOf('api')(cluster) + change;
      onFault(`scale queue=${queue} api=${api}`);
      await cluster.scale({ queue, api });
    },
  },
];
