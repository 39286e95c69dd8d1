import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { migrate } from '@parley/db';

import { buildClient } from '../../web/build-client.ts';
import { assertPortFree, freePort } from '../machine/free-port.ts';
import { repoRoot } from '../machine/paths.ts';
import { sayOnStdout } from '../machine/say.ts';
import { signalTree } from '../machine/signal-tree.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { startPostgres } from '../postgres/start-postgres.ts';
import { startProxy, type Proxy } from '../proxy/start-proxy.ts';
import type { Redis } from '../redis/redis.ts';
import { startRedis } from '../redis/start-redis.ts';
import { changeNodes } from './change-nodes.ts';
import type { ClusterBackends } from './cluster-backends.ts';
import { type ClusterNode, type NodeCounts, type NodeProcess, roles } from './cluster-node.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { type NodeSource, type Places, createNode, createPlaces, startNode } from './create-nodes.ts';
import { killHungNodes } from './liveness.ts';
import { clusterSettings, writeEnvironment } from './node-environment.ts';
import { writeJson } from './replace-file.ts';
import { provideSecret } from './secret.ts';

export interface Cluster extends AsyncDisposable {
  baseUrl: string;
  /** The nodes that there are now, by role and number. */
  readonly nodes: readonly ClusterNode[];
  postgres: Postgres;
  redis: Redis;
  proxy: Proxy;
  secret: string;
  /**
   * Sends a signal, SIGKILL by default. A node that ends because of it is restarted like any node that dies. After
   * SIGKILL, `whenReady` waits for the new process.
   */
  kill(node: ClusterNode, signal?: NodeJS.Signals): void;
  /**
   * Stops a server's processes as they are, without ending them: connections stand, and nothing is answered. They go on
   * when what it returns is called.
   */
  hang(server: Pick<Postgres | Redis, 'pid'>): Promise<() => Promise<void>>;
  /** Asks a node to end, and resolves when it has ended. It stays down until `start`. */
  drain(node: ClusterNode): Promise<void>;
  /** Resolves when the node serves. */
  start(node: ClusterNode): Promise<void>;
  /**
   * Starts nodes or ends them until there are so many of each role, in all at most 16 of a role or as many as there were
   * at the start. What was asked of a node that ends is answered; polls go on at others.
   */
  scale(counts: Partial<NodeCounts>): Promise<void>;
  /** Replaces each process by a new one, as a rolling update does. Where a role has one node, a second one serves meanwhile. */
  roll(): Promise<void>;
  /** Resolves when all nodes serve, except drained ones. */
  whenReady(): Promise<void>;
  /** Stops everything in order: queue nodes and workers, the proxy and api nodes, Redis, Postgres. */
  stop(): Promise<void>;
}

/** Starts a cluster of real processes behind one address. A start that fails leaves nothing running. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { say = sayOnStdout, durable = true, prepare = migrateOnly, signal } = options;
  const dir = resolve(options.dir);
  const port = options.port ?? (await freePort());
  await assertPortFree(port);
  await mkdir(join(dir, 'logs'), { recursive: true });
  await buildClient({ root: repoRoot(), say });
  const baseUrl = `http://127.0.0.1:${port}`;
  const clusterFile = join(dir, 'cluster.json');
  const environmentFile = join(dir, 'env');

  const nodes = new Set<NodeProcess>();
  let postgres: Postgres | undefined;
  let redis: Redis | undefined;
  let proxy: Proxy | undefined;
  let places: (Places & AsyncDisposable) | undefined;
  let stopping = false;
  let liveness: Disposable | undefined;
  const stop = async () => {
    stopping = true;
    liveness?.[Symbol.dispose]();
    if (proxy) await Promise.all([clusterFile, environmentFile].map((file) => rm(file, { force: true })));
    const [apiNodes, others] = [true, false].map((isApi) =>
      [...nodes].filter(({ role }) => (role === 'api') === isApi),
    );
    await Promise.all((others ?? []).map((node) => node.stop()));
    // Nobody asks any more once the proxy has ended, and api nodes need not wait for who may.
    await Promise.all([proxy?.stop(), ...(apiNodes ?? []).map((node) => node.stop())]);
    await redis?.stop();
    await postgres?.stop();
    await places?.[Symbol.asyncDispose]();
  };

  try {
    postgres = await startPostgres({ dir, url: options.databaseUrl, durable, say });
    say(`Postgres: ${postgres.source}`);
    // The files may be left by a run that was killed. Postgres has the data folder to itself now, so no other run uses
    // them.
    await Promise.all([clusterFile, environmentFile].map((file) => rm(file, { force: true })));
    signal?.throwIfAborted();
    redis = await startRedis({ dir, url: options.redisUrl, kind: options.redis, say });
    say(`Redis: ${redis.source}`);
    const backends = { databaseUrl: postgres.url, redisUrl: redis.url, secret: await provideSecret(dir) };
    signal?.throwIfAborted();
    await prepare(backends);
    signal?.throwIfAborted();

    const source: NodeSource = { dir, backends, publicPort: port, options, say };
    places = await createPlaces(options);
    const { api, queue } = places;
    for (const role of roles) {
      for (let number = 1; number <= options[role]; number += 1) {
        nodes.add(createNode(source, places, role, number));
      }
    }
    const giveUp = () => void Promise.all([...nodes].map((node) => node.stop()));
    signal?.addEventListener('abort', giveUp);
    await Promise.all([...nodes].map(startNode)).finally(() => signal?.removeEventListener('abort', giveUp));
    say(`Nodes: ${[...nodes].map(({ name, pid }) => `${name} (pid ${pid})`).join(', ')}`);

    signal?.throwIfAborted();
    const portsOf = { api: api.map((place) => place.port), queue: queue.map((place) => place.port) };
    proxy = await startProxy({
      dir,
      port,
      api: portsOf.api.slice(0, options.api),
      queue: portsOf.queue.slice(0, options.queue),
      spare: { api: portsOf.api.slice(options.api), queue: portsOf.queue.slice(options.queue) },
      kind: options.proxy,
      say,
    });
    say(`Proxy: ${proxy.source}`);
    if (proxy.capacity) {
      say(`Polls: ${proxy.capacity.polls} can wait at once (limit: ${proxy.capacity.scarcest})`);
    }
    liveness = killHungNodes(nodes, say);

    const writeClusterFile = () => {
      if (stopping) return;
      const running = byName(nodes).filter(({ pid }) => pid !== undefined);
      writeJson(clusterFile, {
        base_url: baseUrl,
        nodes: running.map(({ role, pid, url, metricsUrl }) => ({ role, pid, url, metrics: metricsUrl })),
      });
    };
    writeClusterFile();
    writeEnvironment(environmentFile, {
      ...process.env,
      ...clusterSettings(dir, backends, port),
      ...options.env,
    });
    for (const node of nodes) node.onChange(writeClusterFile);
    const changes = changeNodes({ nodes, source, places, onChange: writeClusterFile });

    const processOf = (node: ClusterNode) => {
      const nodeProcess = [...nodes].find((candidate) => candidate === node);
      if (!nodeProcess) throw new Error(`${node.name} is of another cluster`);
      return nodeProcess;
    };
    return {
      baseUrl,
      get nodes() {
        return byName(nodes);
      },
      postgres,
      redis,
      proxy,
      secret: backends.secret,
      kill: (node, signal = 'SIGKILL') => processOf(node).kill(signal),
      async hang({ pid }) {
        if (pid === undefined) throw new Error('This server was given by its URL.');
        await signalTree(pid, 'SIGSTOP');
        return () => signalTree(pid, 'SIGCONT');
      },
      drain: (node) => processOf(node).stop(),
      start: (node) => processOf(node).start(),
      ...changes,
      async whenReady() {
        await Promise.all([...nodes].filter((node) => node.isWanted).map((node) => node.whenReady()));
      },
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const byName = (nodes: Iterable<NodeProcess>): NodeProcess[] =>
  [...nodes].sort((a, b) => a.role.localeCompare(b.role) || a.number - b.number);

async function migrateOnly({ databaseUrl }: ClusterBackends): Promise<void> {
  await migrate(databaseUrl);
}
