import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { migrate } from '@parley/db';

import { freePort, isPortFree } from '../machine/free-port.ts';
import { sayOnStdout } from '../machine/say.ts';
import { signalTree } from '../machine/signal-tree.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { startPostgres } from '../postgres/start-postgres.ts';
import { startProxy, type Proxy } from '../proxy/start-proxy.ts';
import type { Redis } from '../redis/redis.ts';
import { startRedis } from '../redis/start-redis.ts';
import type { ClusterBackends } from './cluster-backends.ts';
import type { ClusterNode, NodeProcess, Role } from './cluster-node.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { createNodes, startNode } from './create-nodes.ts';
import { killHungNodes } from './liveness.ts';
import { clusterSettings, writeEnvironment } from './node-environment.ts';
import { writeJson } from './replace-file.ts';
import { provideSecret } from './secret.ts';

export interface Cluster extends AsyncDisposable {
  baseUrl: string;
  nodes: readonly ClusterNode[];
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
  /** Resolves when all nodes serve, except drained ones. */
  whenReady(): Promise<void>;
  /** Stops everything in order: nodes, proxy, Redis, Postgres. */
  stop(): Promise<void>;
}

/** Starts a cluster of real processes behind one address. A start that fails leaves nothing running. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { say = sayOnStdout, durable = true, prepare = migrateOnly, signal } = options;
  const dir = resolve(options.dir);
  const port = options.port ?? (await freePort());
  if (!(await isPortFree(port))) {
    throw new Error(`Port ${port} is taken. Stop what listens there, or choose another: PORT=${port + 10}`);
  }
  await mkdir(join(dir, 'logs'), { recursive: true });
  const baseUrl = `http://127.0.0.1:${port}`;
  const clusterFile = join(dir, 'cluster.json');
  const environmentFile = join(dir, 'env');

  let nodes: NodeProcess[] = [];
  let postgres: Postgres | undefined;
  let redis: Redis | undefined;
  let proxy: Proxy | undefined;
  let stopping = false;
  let liveness: Disposable | undefined;
  const stop = async () => {
    stopping = true;
    liveness?.[Symbol.dispose]();
    if (proxy) await Promise.all([clusterFile, environmentFile].map((file) => rm(file, { force: true })));
    await Promise.all(nodes.map((node) => node.stop()));
    await proxy?.stop();
    await redis?.stop();
    await postgres?.stop();
  };

  try {
    postgres = await startPostgres({ dir, url: options.databaseUrl, durable, say });
    say(`Postgres: ${postgres.source}`);
    // The files may be left by a run that was killed. Postgres has the data folder to itself now, so no other run uses
    // them.
    await Promise.all([clusterFile, environmentFile].map((file) => rm(file, { force: true })));
    signal?.throwIfAborted();
    redis = await startRedis({ dir, url: options.redisUrl, say });
    say(`Redis: ${redis.source}`);
    const backends = { databaseUrl: postgres.url, redisUrl: redis.url, secret: await provideSecret(dir) };
    signal?.throwIfAborted();
    await prepare(backends);
    signal?.throwIfAborted();

    nodes = await createNodes(dir, backends, { ...options, port }, say);
    const giveUp = () => void Promise.all(nodes.map((node) => node.stop()));
    signal?.addEventListener('abort', giveUp);
    await Promise.all(nodes.map(startNode)).finally(() => signal?.removeEventListener('abort', giveUp));
    say(`Nodes: ${nodes.map(({ name, pid }) => `${name} (pid ${pid})`).join(', ')}`);

    const portsOf = (role: Role) => nodes.filter((node) => node.role === role).map((node) => node.port);
    signal?.throwIfAborted();
    proxy = await startProxy({
      dir,
      port,
      api: portsOf('api'),
      queue: portsOf('queue'),
      kind: options.proxy,
      say,
    });
    say(`Proxy: ${proxy.source}`);
    liveness = killHungNodes(nodes, say);

    const writeClusterFile = () => {
      if (stopping) return;
      const running = nodes.filter(({ pid }) => pid !== undefined);
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

    const processOf = (node: ClusterNode) => {
      const nodeProcess = nodes.find((candidate) => candidate === node);
      if (!nodeProcess) throw new Error(`${node.name} is of another cluster`);
      return nodeProcess;
    };
    return {
      baseUrl,
      nodes,
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
      async whenReady() {
        await Promise.all(nodes.filter((node) => node.isWanted).map((node) => node.whenReady()));
      },
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function migrateOnly({ databaseUrl }: ClusterBackends): Promise<void> {
  await migrate(databaseUrl);
}
