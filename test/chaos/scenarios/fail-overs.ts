import type { ReplicaServer } from '@parley/infra';
import { pause } from '@parley/kit';
import { connectSql } from '@parley/log';

import { killNodes, ofWorkers } from './nodes.ts';
import { flush, ours } from './ours.ts';
import { type Scenario, type Stage, everyMs } from './scenario.ts';

/** Entries that the log gets after the replica has stopped to follow. */
const lostEntries = 50;
/** This says that something hangs, and nothing about speed. */
const waitMsMax = 60_000;
const movedEveryMs = 150;

/** Resolves when the sum of all logs' heads is so high. */
async function untilHead({ links }: Stage, enough: (head: number) => boolean): Promise<number> {
  const sql = connectSql({ url: links.databaseUrl, name: 'chaos', max: 1 });
  const giveUpMs = Date.now() + waitMsMax;
  try {
    for (;;) {
      const [row] = await sql<{ head: number }[]>`select sum(seq)::float8 as head from realm_heads`;
      const head = row?.head ?? 0;
      if (enough(head)) return head;
      if (Date.now() > giveUpMs) throw new Error('The log did not go on.');
      await pause(50);
    }
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const readHead = (stage: Stage) => untilHead(stage, () => true);

/** Starts a replica that lacks the last entries of the log. */
async function replicateBehind(stage: Stage): Promise<ReplicaServer> {
  const replica = await ours(stage.servers.primary).replicate({ isSynchronous: false });
  await replica.stopFollowing();
  const head = await readHead(stage);
  await untilHead(stage, (now) => now >= head + lostEntries);
  return replica;
}

/**
 * Promotes a replica. The server before dies first, or it goes on to acknowledge what nodes write to it, while one node
 * after the other finds the new one.
 */
async function takeOver(stage: Stage, replica: ReplicaServer, isCutOff: boolean): Promise<void> {
  const { links, servers, onFault } = stage;
  const before = servers.primary;
  if (!isCutOff) await ours(before).crash();
  onFault(isCutOff ? 'promote the replica beside Postgres' : 'SIGKILL Postgres, promote its replica');
  await replica.promote();
  servers.primary = replica;
  await links.movePostgres(replica.port, isCutOff ? movedEveryMs : 0);
  if (isCutOff) await ours(before).crash();
}

/** What happens while a replica that lacks the last entries takes over. */
interface Fall {
  name: string;
  about: string;
  turns: number;
  meanwhile?: (stage: Stage) => Promise<void> | void;
}

const failOverAsync = ({ name, about, turns, meanwhile }: Fall): Scenario => ({
  name,
  about,
  ...ofWorkers,
  isLast: true,
  losesHistory: true,
  everyMs: everyMs * 2,
  turnsPerRound: () => turns,
  async breakOne(stage, turn) {
    if (turn >= turns) return;
    const replica = await replicateBehind(stage);
    // One way after the other, beginning with either.
    const isCutOff = stage.placeOf(turn, 2) === 1;
    await Promise.all([takeOver(stage, replica, isCutOff), meanwhile?.(stage)]);
    await stage.cluster.whenReady();
  },
});

/** Restores a backup while all nodes are down. Queue nodes come back when the log has numbers again that clients know. */
const restore = (name: string, about: string, meanwhile?: (stage: Stage) => Promise<void>): Scenario => ({
  name,
  about,
  isLast: true,
  losesHistory: true,
  everyMs: everyMs * 2,
  turnsPerRound: () => 1,
  async breakOne(stage, turn) {
    if (turn > 0) return;
    const { cluster, servers, onFault } = stage;
    onFault('back up Postgres');
    const backup = await ours(servers.primary).backUp();
    const backedUp = await readHead(stage);
    const lost = await untilHead(stage, (head) => head >= backedUp + lostEntries);
    onFault('stop all nodes, restore the backup');
    const nodes = [...cluster.nodes];
    await Promise.all(nodes.map((node) => cluster.drain(node)));
    await backup.restore();
    await meanwhile?.(stage);
    const isQueue = ({ role }: { role: string }) => role === 'queue';
    await Promise.all(nodes.filter((node) => !isQueue(node)).map((node) => cluster.start(node)));
    await untilHead(stage, (head) => head >= lost + lostEntries / 2);
    onFault('start the queue nodes');
    await Promise.all(nodes.filter(isQueue).map((node) => cluster.start(node)));
  },
});

export const failOverScenarios: readonly Scenario[] = [
  {
    name: 'failover-sync',
    about: 'Postgres dies, and a replica that has all it acknowledged takes its place',
    isLast: true,
    everyMs: everyMs * 2,
    turnsPerRound: () => 1,
    async breakOne(stage, turn) {
      if (turn > 0) return;
      const replica = await ours(stage.servers.primary).replicate({ isSynchronous: true });
      await takeOver(stage, replica, false);
    },
  },
  failOverAsync({
    name: 'failover-async',
    about: 'a replica that lacks the last 50 entries takes the place of Postgres',
    turns: 1,
  }),
  failOverAsync({
    name: 'failover-twice',
    about: 'the same, back and forth twice; every other time the old server goes on for a moment',
    turns: 4,
  }),
  failOverAsync({
    name: 'failover-queue',
    about: 'the same, while all queue nodes are killed',
    turns: 1,
    meanwhile: (stage) => killNodes(stage, 'queue'),
  }),
  failOverAsync({
    name: 'failover-flush',
    about: 'the same, while Redis is emptied',
    turns: 1,
    meanwhile: flush,
  }),
  restore('restore', 'all nodes are stopped, and Postgres goes back to a backup'),
  restore('restore-flush', 'the same, and Redis is emptied', flush),
];
