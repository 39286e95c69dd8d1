import { QueueNode } from './nodes.ts';
import { type Simulation, accountOf, accountsPerRealm } from './simulation.ts';

/** One step of a schedule: what it is, and numbers by which it chooses. */
export interface Operation {
  readonly kind: OperationKind;
  /** How long after the one before. */
  readonly afterMs: number;
  /** Which of those that it may be done to. */
  readonly which: number;
  /** How much or how long, from 0 to 1. */
  readonly much: number;
}

type Perform = (simulation: Simulation, operation: Operation) => void;

interface OperationRow {
  /** How often it is chosen, beside the others. */
  weight: number;
  /** The fault that it is; null for what clients do. */
  fault: string | null;
  /** Whether queues may be lost by it. */
  mayTell?: boolean | ((operation: Operation) => boolean);
  perform: Perform;
}

const pick = <Item>(items: readonly Item[], which: number): Item | undefined => items[which % items.length];
const clientOf = ({ clients }: Simulation, which: number) => pick(clients, which);

const send =
  (isDirect: boolean, isSpecial: boolean): Perform =>
  (simulation, { which, much }) => {
    const client = clientOf(simulation, which);
    if (!client) return;
    const to = accountOf(client.caller.realmId, Math.floor(much * accountsPerRealm));
    client.send(isDirect ? to : null, isSpecial);
  };

const longMs = (much: number) => 50 + much * 2500;

/** What Redis has stored that is started again. */
const keptOf = (which: number) => pick(['all', 'earlier', 'nothing'] as const, which) ?? 'all';

/** For so long a node may know nothing of a server that has taken over: it hangs, or is about to connect again. */
const unmetMs = 5000;

const mixUntil = ({ checker }: Simulation, ms: number): void => {
  checker.mixesUntilMs = Math.max(checker.mixesUntilMs, ms);
};

/** A place hangs: nothing happens there for a while, and then all at once. */
function hang(simulation: Simulation, place: { hangsUntilMs: number }, much: number): void {
  place.hangsUntilMs = Math.max(place.hangsUntilMs, simulation.world.nowMs + longMs(much));
}

const kill =
  (role: 'api' | 'queue'): Perform =>
  (simulation, { which, much }) => {
    const node = pick(simulation.cluster.listNodes(role), which);
    if (node) simulation.cluster.kill(node, 20 + much * 1000);
  };

/** All that happens in a schedule. */
export const operations = {
  'send to the channel': { weight: 30, fault: null, perform: send(false, false) },
  'send directly': { weight: 14, fault: null, perform: send(true, false) },
  'send with more': { weight: 6, fault: null, perform: send(false, true) },
  'send at once': {
    weight: 8,
    fault: null,
    perform: (simulation, { which, much }) => {
      for (let count = 0; count < 2 + much * 3; count += 1) {
        clientOf(simulation, which + count)?.send(null, false);
      }
    },
  },
  type: {
    weight: 5,
    fault: null,
    perform: (simulation, { which }) => clientOf(simulation, which)?.ask('/typing', {}),
  },
  'change members': {
    weight: 6,
    fault: null,
    perform: (simulation, { which, much }) => {
      const client = clientOf(simulation, which);
      if (!client) return;
      const all = Array.from({ length: accountsPerRealm }, (_, index) =>
        accountOf(client.caller.realmId, index),
      );
      const left = Math.floor(much * accountsPerRealm);
      client.ask('/members', { members: all.filter((_, index) => index !== left) });
    },
  },
  ban: {
    weight: 4,
    fault: null,
    perform: (simulation, { which, much }) => {
      const client = clientOf(simulation, which);
      const banned = much < 0.3 ? null : accountOf(client?.caller.realmId ?? 1, Math.floor(much * 10));
      client?.ask('/rules', { banned });
    },
  },
  'ask again': {
    weight: 6,
    fault: 'reply lost',
    perform: (simulation, { which }) => clientOf(simulation, which)?.retryNow(),
  },
  'ask twice': {
    weight: 5,
    fault: 'request repeated',
    perform: (simulation, { which }) => {
      const client = clientOf(simulation, which);
      if (!client) return;
      client.isDoubling = true;
      client.retryNow();
    },
  },
  'time passes': { weight: 6, fault: null, perform: () => undefined },
  'kill a queue node': {
    weight: 4,
    fault: 'queue node killed',
    // Nobody vouches for what it has served in a new term, if it dies before it says so: see history-proof.ts.
    mayTell: true,
    perform: kill('queue'),
  },
  'kill an api node': { weight: 5, fault: 'api node killed', perform: kill('api') },
  'drain a queue node': {
    weight: 3,
    fault: 'queue node replaced',
    perform: ({ cluster }, { which }) => {
      const node = pick(cluster.listNodes('queue'), which);
      if (node instanceof QueueNode) cluster.drain(node);
    },
  },
  'hang a node': {
    weight: 4,
    fault: 'node hangs',
    perform: (simulation, { which, much }) => {
      const node = pick(simulation.cluster.nodes, which);
      if (node) hang(simulation, node.place, much);
    },
  },
  'hang Postgres': {
    weight: 2,
    fault: 'Postgres hangs',
    perform: (simulation, { much }) => hang(simulation, simulation.cluster.postgres.primary.place, much),
  },
  'hang Redis': {
    weight: 3,
    fault: 'Redis hangs',
    perform: (simulation, { much }) => hang(simulation, simulation.cluster.redis.place, much),
  },
  'cut a node from Postgres': {
    weight: 3,
    fault: 'cut from Postgres',
    perform: ({ cluster }, { which, much }) => {
      const node = pick(cluster.nodes, which);
      if (node) cluster.network.cut(node.place, cluster.postgres.primary.place, longMs(much));
    },
  },
  'cut a node from Redis': {
    weight: 4,
    fault: 'cut from Redis',
    perform: ({ cluster }, { which, much }) => {
      const node = pick(cluster.nodes, which);
      if (node) cluster.network.cut(node.place, cluster.redis.place, longMs(much));
    },
  },
  'close connections to Postgres': {
    weight: 3,
    fault: 'connections to Postgres closed',
    perform: ({ cluster, world }, { which }) => {
      const node = pick(cluster.nodes, which);
      // What follows from it happens there as well.
      if (node) world.after(node.place, 0, node.cutSql);
    },
  },
  'restart Postgres': {
    weight: 3,
    fault: 'Postgres restarted',
    perform: ({ cluster }, { much }) => cluster.postgres.restart(longMs(much) / 2),
  },
  'fail over Postgres': {
    weight: 3,
    fault: 'Postgres failed over to a state behind',
    mayTell: true,
    perform: (simulation, { which }) => {
      mixUntil(simulation, simulation.world.nowMs + unmetMs);
      simulation.cluster.postgres.failOver(which % 5, 0);
    },
  },
  'fail over Postgres while it lingers': {
    weight: 3,
    fault: 'Postgres failed over, and the former server served on',
    mayTell: true,
    perform: (simulation, { which, much }) => {
      mixUntil(simulation, Number.POSITIVE_INFINITY);
      // Half of the times no connection is lost; else some are, as `which` says.
      const lost = which & 32 ? which >> 6 : 0;
      simulation.cluster.postgres.failOver(
        which % 5,
        longMs(much),
        (connection) => ((lost >> (connection % 10)) & 1) === 1,
      );
    },
  },
  'restore Postgres': {
    weight: 2,
    fault: 'Postgres restored from a backup',
    mayTell: true,
    perform: (simulation, { which, much }) => {
      const { cluster, world } = simulation;
      mixUntil(simulation, world.nowMs + longMs(much) + unmetMs);
      cluster.postgres.failOver(5 + (which % 8), 0);
      cluster.postgres.restart(longMs(much));
      if (which % 3 === 0) cluster.redis.empty();
    },
  },
  'trim the log': {
    weight: 1,
    fault: 'log trimmed',
    mayTell: true,
    perform: ({ cluster }, { which }) => cluster.postgres.trim(which % 4),
  },
  'restart Redis': {
    weight: 2,
    fault: 'Redis restarted',
    mayTell: ({ which }) => keptOf(which) !== 'all',
    perform: ({ cluster }, { which, much }) => cluster.redis.restart(longMs(much) / 2, keptOf(which)),
  },
  'empty Redis': {
    weight: 2,
    fault: 'Redis emptied',
    mayTell: true,
    perform: ({ cluster }) => cluster.redis.empty(),
  },
  'trim the stream': {
    weight: 3,
    fault: 'stream trimmed',
    perform: ({ cluster }, { which }) => cluster.redis.trimStreams(which % 3),
  },
  'forge an entry': {
    weight: 2,
    fault: 'entry forged',
    perform: ({ cluster, clients }, { which }) =>
      cluster.forge(clients[which % clients.length]?.caller.realmId ?? 1),
  },
} as const satisfies Record<string, OperationRow>;

export type OperationKind = keyof typeof operations;

/** Does what an operation says. */
export function perform(simulation: Simulation, operation: Operation): void {
  const row: OperationRow = operations[operation.kind];
  if (row.fault !== null) simulation.countFault(row.fault);
  const mayTell = typeof row.mayTell === 'function' ? row.mayTell(operation) : row.mayTell;
  if (mayTell) simulation.checker.mayTell = true;
  simulation.cluster.redis.keepEarlierSometimes();
  row.perform(simulation, operation);
}
