import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { migrate } from '@parley/db';

import { bundleServices } from '../../bundle/bundle-services.ts';
import { buildClient } from '../../web/build-client.ts';
import { assertPortFree, freePort } from '../machine/free-port.ts';
import { repoRoot } from '../machine/paths.ts';
import { type Say, sayOnStdout } from '../machine/say.ts';
import { hang } from '../machine/signal-tree.ts';
import { type ReplicaServer, createCopies } from '../postgres/copies.ts';
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
import { clusterSettings, writeEnvironment, publicUrl } from './node-environment.ts';
import { writeJson } from './replace-file.ts';
import { provideSecret } from './secret.ts';

export interface Cluster extends AsyncDisposable {
  baseUrl: string;
  /** The nodes that there are now, by role and number. */
  readonly nodes: readonly ClusterNode[];
  postgres: Postgres;
  replicas: readonly ReplicaServer[];
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
  const dir = resolve(options.dir);
  const port = options.port ?? (await freePort());
  await assertPortFree(port);
  await mkdir(join(dir, 'logs'), { recursive: true });
  const start = new ClusterStart(options, dir, port);
  try {
    return await start.run();
  } catch (error) {
    await start.stop();
    throw error;
  }
}

/** What has been started so far, which can be stopped at any moment. */
class ClusterStart {
  readonly #options: ClusterOptions;
  readonly #say: Say;
  readonly #dir: string;
  readonly #port: number;
  readonly #clusterFile: string;
  readonly #environmentFile: string;
  readonly #nodes = new Set<NodeProcess>();
  #postgres: Postgres | undefined;
  #copies: AsyncDisposable | undefined;
  #redis: Redis | undefined;
  #proxy: Proxy | undefined;
  #places: (Places & AsyncDisposable) | undefined;
  #liveness: Disposable | undefined;
  #isStopping = false;

  constructor(options: ClusterOptions, dir: string, port: number) {
    this.#options = options;
    this.#say = options.say ?? sayOnStdout;
    this.#dir = dir;
    this.#port = port;
    this.#clusterFile = join(dir, 'cluster.json');
    this.#environmentFile = join(dir, 'env');
  }

  async run(): Promise<Cluster> {
    const { signal, prepare = migrateOnly, entryOf } = this.#options;
    const build = { root: repoRoot(), say: this.#say };
    await buildClient(build);
    if (!entryOf) await bundleServices(build);
    const postgres = await this.#startPostgres();
    signal?.throwIfAborted();
    const redis = await this.#startRedis();
    const secret = await provideSecret(this.#dir);
    const founding = { databaseUrl: postgres.url, redisUrl: redis.url, secret };
    signal?.throwIfAborted();
    await prepare(founding);
    signal?.throwIfAborted();
    const replicas = await this.#startReplicas(postgres);
    signal?.throwIfAborted();
    const backends = { ...founding, replicaUrls: replicas.map(({ url }) => url) };
    const places = (this.#places = await createPlaces(this.#options));
    const source: NodeSource = {
      dir: this.#dir,
      backends,
      publicPort: this.#port,
      options: this.#options,
      say: this.#say,
    };
    await this.#startNodes(source, places);
    signal?.throwIfAborted();
    const proxy = await this.#startProxy(places);
    this.#liveness = killHungNodes(this.#nodes, this.#say);
    this.#describe(backends);
    const changes = changeNodes({
      nodes: this.#nodes,
      source,
      places,
      onChange: () => this.#writeClusterFile(),
    });
    return this.#present({ postgres, replicas, redis, proxy, secret }, changes);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#liveness?.[Symbol.dispose]();
    if (this.#proxy) await this.#removeFiles();
    const [apiNodes, others] = [true, false].map((isApi) =>
      [...this.#nodes].filter(({ role }) => (role === 'api') === isApi),
    );
    await Promise.all((others ?? []).map((node) => node.stop()));
    // Nobody asks any more once the proxy has ended, and api nodes need not wait for who may.
    await Promise.all([this.#proxy?.stop(), ...(apiNodes ?? []).map((node) => node.stop())]);
    await this.#redis?.stop();
    await this.#copies?.[Symbol.asyncDispose]();
    await this.#postgres?.stop();
    await this.#places?.[Symbol.asyncDispose]();
  }

  async #startPostgres(): Promise<Postgres> {
    const { databaseUrl: url, durable = true } = this.#options;
    const postgres = await startPostgres({ dir: this.#dir, url, durable, say: this.#say });
    this.#postgres = postgres;
    this.#say(`Postgres: ${postgres.source}`);
    // The files may be left by a run that was killed. Postgres has the data folder to itself now, so no other run uses
    // them.
    await this.#removeFiles();
    return postgres;
  }

  async #startReplicas(postgres: Postgres): Promise<ReplicaServer[]> {
    const { replicas: count = 0, durable = true } = this.#options;
    if (count === 0) return [];
    const copies = createCopies(postgres, { durable, say: this.#say });
    this.#copies = copies;
    if (!copies.server) throw new Error('Only a Postgres of our own can have replicas: unset DATABASE_URL.');
    const replicas: ReplicaServer[] = [];
    while (replicas.length < count) replicas.push(await copies.server.replicate({ isSynchronous: false }));
    this.#say(`Replicas: ${count} of Postgres`);
    return replicas;
  }

  async #startRedis(): Promise<Redis> {
    const { redisUrl: url, redis: kind } = this.#options;
    const redis = await startRedis({ dir: this.#dir, url, kind, say: this.#say });
    this.#redis = redis;
    this.#say(`Redis: ${redis.source}`);
    return redis;
  }

  async #startNodes(source: NodeSource, places: Places): Promise<void> {
    const nodes = this.#nodes;
    for (const role of roles) {
      for (let number = 1; number <= this.#options[role]; number += 1) {
        nodes.add(createNode(source, places, role, number));
      }
    }
    const { signal } = this.#options;
    const giveUp = () => void Promise.all([...nodes].map((node) => node.stop()));
    signal?.addEventListener('abort', giveUp);
    await Promise.all([...nodes].map(startNode)).finally(() => signal?.removeEventListener('abort', giveUp));
    this.#say(`Nodes: ${[...nodes].map(({ name, pid }) => `${name} (pid ${pid})`).join(', ')}`);
  }

  async #startProxy({ api, queue }: Places): Promise<Proxy> {
    const ports = { api: api.map((place) => place.port), queue: queue.map((place) => place.port) };
    const counts = this.#options;
    const proxy = await startProxy({
      dir: this.#dir,
      port: this.#port,
      api: ports.api.slice(0, counts.api),
      queue: ports.queue.slice(0, counts.queue),
      spare: { api: ports.api.slice(counts.api), queue: ports.queue.slice(counts.queue) },
      kind: counts.proxy,
      say: this.#say,
    });
    this.#proxy = proxy;
    this.#say(`Proxy: ${proxy.source}`);
    if (proxy.capacity) {
      this.#say(`Polls: ${proxy.capacity.polls} can wait at once (limit: ${proxy.capacity.scarcest})`);
    }
    return proxy;
  }

  /** Says in files of the folder what runs, as long as it does. */
  #describe(backends: ClusterBackends): void {
    this.#writeClusterFile();
    writeEnvironment(this.#environmentFile, {
      ...process.env,
      ...clusterSettings(this.#dir, backends, this.#port),
      ...this.#options.env,
    });
    for (const node of this.#nodes) node.onChange(() => this.#writeClusterFile());
  }

  #writeClusterFile(): void {
    if (this.#isStopping) return;
    const running = byName(this.#nodes).filter(({ pid }) => pid !== undefined);
    writeJson(this.#clusterFile, {
      base_url: this.#baseUrl,
      nodes: running.map(({ role, pid, url, metricsUrl }) => ({ role, pid, url, metrics: metricsUrl })),
    });
  }

  async #removeFiles(): Promise<void> {
    const files = [this.#clusterFile, this.#environmentFile];
    await Promise.all(files.map((file) => rm(file, { force: true })));
  }

  get #baseUrl(): string {
    return publicUrl(this.#port);
  }

  #present(
    servers: Pick<Cluster, 'postgres' | 'replicas' | 'redis' | 'proxy' | 'secret'>,
    changes: Pick<Cluster, 'scale' | 'roll'>,
  ): Cluster {
    const nodes = this.#nodes;
    const processOf = (node: ClusterNode) => {
      const nodeProcess = [...nodes].find((candidate) => candidate === node);
      if (!nodeProcess) throw new Error(`${node.name} belongs to another cluster.`);
      return nodeProcess;
    };
    const stop = () => this.stop();
    return {
      ...servers,
      ...changes,
      baseUrl: this.#baseUrl,
      get nodes() {
        return byName(nodes);
      },
      kill: (node, signal = 'SIGKILL') => processOf(node).kill(signal),
      hang,
      drain: (node) => processOf(node).stop(),
      start: (node) => processOf(node).start(),
      async whenReady() {
        await Promise.all([...nodes].filter((node) => node.isWanted).map((node) => node.whenReady()));
      },
      stop,
      [Symbol.asyncDispose]: stop,
    };
  }
}

const byName = (nodes: Iterable<NodeProcess>): NodeProcess[] =>
  [...nodes].sort((a, b) => a.role.localeCompare(b.role) || a.number - b.number);

async function migrateOnly({ databaseUrl }: ClusterBackends): Promise<void> {
  await migrate(databaseUrl);
}
