import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { migrate } from '@parley/db';

import { freePort, isPortFree } from '../machine/free-port.ts';
import { sayOnStdout, type Say } from '../machine/say.ts';
import { startPostgres, type Postgres } from '../postgres/start-postgres.ts';
import { startProxy, type Proxy, type ProxyKind } from '../proxy/start-proxy.ts';
import type { Redis } from '../redis/redis.ts';
import { startRedis } from '../redis/start-redis.ts';
import type { ClusterBackends } from './cluster-backends.ts';
import type { ClusterNode, NodeProcess, Role } from './cluster-node.ts';
import { createNodes, startNode } from './create-nodes.ts';
import { provideSecret } from './secret.ts';
import { writeJson } from './write-json.ts';

export interface ClusterOptions {
  dir: string;
  /** Port of the proxy. Without it, a free one. */
  port?: number | undefined;
  api: number;
  queue: number;
  worker: number;
  /** Added to the environment of every node. */
  env?: NodeJS.ProcessEnv;
  databaseUrl?: string | undefined;
  redisUrl?: string | undefined;
  /** False trades safety in a power cut for speed: for tests. Default true. */
  durable?: boolean;
  proxy?: ProxyKind | undefined;
  /** The program of a role. The default is the service built in this checkout. */
  entryOf?: (role: Role) => string;
  /** Runs when Postgres and Redis answer, before the first node starts. The default migrates. */
  prepare?: (ground: ClusterBackends) => Promise<void>;
  /** Aborted, it gives up a start that is under way. */
  signal?: AbortSignal;
  say?: Say;
}

export interface Cluster extends AsyncDisposable {
  baseUrl: string;
  nodes: readonly ClusterNode[];
  postgres: Postgres;
  redis: Redis;
  proxy: Proxy;
  secret: string;
  /**
   * Sends a signal, SIGKILL by default. A node that dies of it is restarted like any that dies; after SIGKILL
   * `whenReady` waits for the successor.
   */
  kill(node: ClusterNode, signal?: NodeJS.Signals): void;
  /** Asks a node to end and resolves when it has. It stays down until `start`. */
  drain(node: ClusterNode): Promise<void>;
  /** Resolves when the node serves. */
  start(node: ClusterNode): Promise<void>;
  /** Resolves when every node serves that is not drained. */
  whenReady(): Promise<void>;
  /** Ends everything, in order: nodes, proxy, Redis, Postgres. */
  stop(): Promise<void>;
}

/** Real processes behind one address. A failed start leaves nothing running. */
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

  let nodes: NodeProcess[] = [];
  let postgres: Postgres | undefined;
  let redis: Redis | undefined;
  let proxy: Proxy | undefined;
  let stopping = false;
  const stop = async () => {
    stopping = true;
    if (proxy) await rm(clusterFile, { force: true });
    await Promise.all(nodes.map((node) => node.stop()));
    await proxy?.stop();
    await redis?.stop();
    await postgres?.stop();
  };

  try {
    postgres = await startPostgres({ dir, url: options.databaseUrl, durable, say });
    say(`Postgres: ${postgres.source}`);
    // From a run that was killed. The data is ours now, so it is nobody else's.
    await rm(clusterFile, { force: true });
    signal?.throwIfAborted();
    redis = await startRedis({ dir, url: options.redisUrl, say });
    say(`Redis: ${redis.source}`);
    const ground = { databaseUrl: postgres.url, redisUrl: redis.url, secret: await provideSecret(dir) };
    signal?.throwIfAborted();
    await prepare(ground);
    signal?.throwIfAborted();

    nodes = await createNodes(dir, ground, { ...options, port }, say);
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

    const writeClusterFile = () => {
      if (stopping) return;
      const running = nodes.filter(({ pid }) => pid !== undefined);
      writeJson(clusterFile, {
        base_url: baseUrl,
        nodes: running.map(({ role, pid, url }) => ({ role, pid, url })),
      });
    };
    writeClusterFile();
    for (const node of nodes) node.onChange(writeClusterFile);

    const processOf = (node: ClusterNode) => {
      const found = nodes.find((one) => one === node);
      if (!found) throw new Error(`${node.name} is of another cluster`);
      return found;
    };
    return {
      baseUrl,
      nodes,
      postgres,
      redis,
      proxy,
      secret: ground.secret,
      kill: (node, signal = 'SIGKILL') => processOf(node).kill(signal),
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
