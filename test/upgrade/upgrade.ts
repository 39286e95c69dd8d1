import { join } from 'node:path';

import { type ClusterBackends, type ClusterNode, startCluster } from '@parley/infra';

import type { ChaosRealm } from '../chaos/chaos-realm.ts';
import { openQueueStarts } from '../chaos/queue-starts.ts';
import { root } from '../versions/history.ts';
import { fillMessages } from './fill.ts';
import { buildVersion, createSwitch, migrateAs } from './old-nodes.ts';
import { type Met, Traffic } from './traffic.ts';

type Say = (line: string) => void;

/** Clients that stand for many are not refused for their number. */
export const limits = {
  RATE_LIMIT_BY_USER: '60:1000000',
  RATE_LIMIT_BY_ADDRESS: '60:1000000',
  EVENTS_RATE_LIMIT: '60:1000000',
};

/**
 * Upgrades a cluster of an earlier version to this one, and back and forth once more, while clients send and listen.
 * Returns what they met with.
 */
export async function upgrade(
  { commit, history }: { commit: string; history: number },
  dir: string,
  say: Say,
): Promise<Met> {
  const old = join(dir, 'version');
  say(`Building the version of ${commit} …`);
  await buildVersion(commit, old, say);
  const { createChaosRealm } = (await import(join(old, 'test/dist/chaos/chaos-realm.js'))) as {
    readonly createChaosRealm: (
      servers: ClusterBackends,
      options: { members: number },
    ) => Promise<ChaosRealm>;
  };
  const versions = await createSwitch(join(dir, 'entries'));
  for (const role of ['api', 'queue', 'worker']) await versions.choose(role, old);

  let realm: ChaosRealm | undefined;
  await using cluster = await startCluster({
    dir: join(dir, 'data'),
    api: 2,
    queue: 2,
    worker: 2,
    env: { ...limits, LOG_LEVEL: 'warn' },
    entryOf: versions.entryOf,
    say: () => {},
    async prepare(servers) {
      await migrateAs(old, servers.databaseUrl);
      realm = await createChaosRealm(servers, { members: 12 });
      if (history > 0) await fillMessages(servers.databaseUrl, realm.realmId, history);
    },
  });
  if (!realm) throw new Error('The realm was not created.');
  const databaseUrl = cluster.postgres.url;
  using starts = await openQueueStarts(cluster.redis.url, cluster.secret);
  const traffic = new Traffic(cluster.baseUrl, realm, starts);
  const step = async (name: string, nodes: readonly ClusterNode[], version: string) => {
    for (const node of nodes) {
      await versions.choose(node.role, version);
      await cluster.drain(node);
      await cluster.start(node);
    }
    say(`${name}: ${await traffic.goOn()}`);
  };
  const { first, second } = splitByRole(cluster.nodes);
  await step('old nodes, old schema', [], old);
  say(await traffic.whileMigrating(() => migrateAs(root, databaseUrl)));
  await step('old nodes, new schema', [], old);
  await step('old and new nodes side by side', first, root);
  await step('new nodes', second, root);
  await step('back to old and new nodes', first, old);
  await step('new nodes again', first, root);
  return await traffic.finish(databaseUrl);
}

/** The first node of each role, and the others. */
function splitByRole(nodes: readonly ClusterNode[]): Record<'first' | 'second', ClusterNode[]> {
  const isFirst = (node: ClusterNode) => nodes.find(({ role }) => role === node.role) === node;
  return { first: nodes.filter(isFirst), second: nodes.filter((node) => !isFirst(node)) };
}

const zeros = [
  'lost',
  'repeated',
  'reordered',
  'leaked',
  'writesLost',
  'writesRepeated',
  'unacknowledged',
  'failedTries',
  'reRegistered',
] as const;

/**
 * Where columns take each other's places, connections with statements of before are ended: of nodes of before 0.9, which
 * ask nothing twice, the sends that are in a transaction at that moment are answered with 503. Later nodes ask again.
 */
const unavailableWhileMigratingMax = 4;

/** What no upgrade may show. */
export function anomalies(met: Met): string[] {
  const lines = zeros.filter((name) => met[name] > 0).map((name) => `${name} ${met[name]}`);
  if (met.unavailableWhileMigrating > unavailableWhileMigratingMax) {
    lines.push(`unavailableWhileMigrating ${met.unavailableWhileMigrating}`);
  }
  return met.heard === 0 ? [...lines, 'nothing was heard'] : lines;
}
