import { setMaxListeners } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { type ClusterBackends, type ClusterNode, makeTiedFolder, startCluster } from '@parley/infra';
import { pause } from '@parley/kit';

import type { ChaosRealm } from '../chaos/chaos-realm.ts';
import { type AttemptedSend, check } from '../chaos/checker.ts';
import { type Listener, startListener } from '../chaos/listener.ts';
import { readRecordedLog } from '../chaos/recorded-log.ts';
import { sendSteadily } from '../chaos/sender.ts';
import { buildVersion, createSwitch, findBase, migrateAs, root } from './old-version.ts';

const usage = `npm run upgrade -- [--from COMMIT]

Runs a cluster of an earlier version of this repository, by default of the last one with another schema, migrates
its database, and replaces its nodes by those of this version one by one, then back and forth once more, while
clients send and listen. So old and new nodes serve the new schema side by side, for each role in turn. Compares
what every client heard with the log, and exits with 1 if anything was lost, repeated, reordered or refused.`;

const { values } = parseArgs({ options: { from: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}

const say = (line: string) => process.stdout.write(`${line}\n`);
const sendsPerStep = 40;
const limitMs = 120_000;

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpMs = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > giveUpMs) throw new Error(`It did not come about that ${what}.`);
    await pause(100);
  }
}

async function upgrade(dir: string): Promise<boolean> {
  const from = values.from ?? (await findBase());
  const old = join(dir, 'version');
  say(`Building the version of ${from} …`);
  await buildVersion(from, old);
  const { createChaosRealm } = (await import(join(old, 'test/dist/chaos/chaos-realm.js'))) as {
    createChaosRealm(servers: ClusterBackends, options: { members: number }): Promise<ChaosRealm>;
  };
  const versions = await createSwitch(join(dir, 'entries'));
  for (const role of ['api', 'queue', 'worker']) await versions.choose(role, old);

  let realm: ChaosRealm | undefined;
  let backends: ClusterBackends | undefined;
  const limits = {
    RATE_LIMIT_BY_USER: '60:1000000',
    RATE_LIMIT_BY_ADDRESS: '60:1000000',
    EVENTS_RATE_LIMIT: '60:1000000',
  };
  await using cluster = await startCluster({
    dir: join(dir, 'data'),
    api: 2,
    queue: 2,
    worker: 2,
    env: { ...limits, LOG_LEVEL: 'warn' },
    entryOf: versions.entryOf,
    say: () => {},
    async prepare(servers) {
      backends = servers;
      await migrateAs(old, servers.databaseUrl);
      realm = await createChaosRealm(servers, { members: 12 });
    },
  });
  if (!realm || !backends) throw new Error('The realm was not created.');
  const { members, realmId } = realm;
  const { databaseUrl } = backends;

  const listeners: Listener[] = [];
  const stop = new AbortController();
  const stopSending = new AbortController();
  for (const { signal } of [stop, stopSending]) setMaxListeners(10_000, signal);
  const listening: Promise<void>[] = [];
  const sends: AttemptedSend[] = [];
  /** Registers more clients, and waits until some sends got through. */
  const goOn = async (what: string) => {
    const more = await Promise.all(
      members.map((member, number) => startListener(cluster.baseUrl, member, number)),
    );
    listeners.push(...more);
    listening.push(...more.map((listener) => listener.listen(stop.signal)));
    const enough = sends.length + sendsPerStep;
    await until('sends get through', () => sends.length >= enough);
    say(`${what}: ${sends.length} sent, ${listeners.length} clients`);
  };
  const replace = async (node: ClusterNode, version: string) => {
    await versions.choose(node.role, version);
    await cluster.drain(node);
    await cluster.start(node);
  };
  const nodes = [...cluster.nodes];
  const firstOfRole = (node: ClusterNode) => nodes.find(({ role }) => role === node.role) === node;
  const first = nodes.filter(firstOfRole);
  const second = nodes.filter((node) => !firstOfRole(node));

  const sending = sendSteadily(cluster.baseUrl, realm, 20, stopSending.signal, (send) => sends.push(send));
  await goOn('old nodes, old schema');
  await migrateAs(root, databaseUrl);
  await goOn('old nodes, new schema');
  for (const node of first) await replace(node, root);
  await goOn('old and new nodes side by side');
  for (const node of second) await replace(node, root);
  await goOn('new nodes');
  for (const node of first) await replace(node, old);
  await goOn('back to old and new nodes');
  for (const node of first) await replace(node, root);
  await goOn('new nodes again');
  stopSending.abort();
  await sending;

  const queues = listeners.map(({ queue }) => queue);
  const verdict = async () => check(queues, sends, await readRecordedLog(databaseUrl, realmId));
  await until('every client has heard everything', async () => (await verdict()).lost === 0).catch(() => {});
  const { heard, lost, repeated, reordered, leaked, writesLost, writesRepeated, missing } = await verdict();
  stop.abort();
  await Promise.all(listening);
  const unacknowledged = sends.filter(({ messageId }) => messageId === null).length;
  const reRegistered = listeners.filter((listener) => listener.reRegistered > 0).length;
  const wrong = {
    lost,
    repeated,
    reordered,
    leaked,
    writesLost,
    writesRepeated,
    unacknowledged,
    reRegistered,
  };
  say(
    `\n${heard} events heard. ${Object.entries(wrong)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}`,
  );
  for (const line of missing) say(line);
  return Object.values(wrong).every((count) => count === 0);
}

const dir = await makeTiedFolder('parley-upgrade-');
// Postgres does not run as root, and its own user has to get in.
await chmod(dir, 0o755);
try {
  process.exitCode = (await upgrade(dir)) ? 0 : 1;
} finally {
  await rm(dir, { recursive: true, force: true });
}
process.exit();
