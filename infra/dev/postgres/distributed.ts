import { join } from 'node:path';

import type { Say } from '../machine/say.ts';
import { connectTo } from './connect-to.ts';
import type { Postgres } from './postgres.ts';
import { startPostgres } from './start-postgres.ts';

/** A Postgres of several servers: applications ask the coordinator, and workers hold the organizations. */
export interface DistributedPostgres extends AsyncDisposable {
  /** The database `parley` at the coordinator. */
  url: string;
  coordinator: Postgres;
  workers: readonly Postgres[];
  /** Creates another database on all servers, and returns its address at the coordinator. */
  createDatabase(name: string): Promise<string>;
  /** Drops it on all servers. */
  dropDatabase(name: string): Promise<void>;
  /** Starts another server that holds nothing yet, and adds it to the database `parley` if its servers were joined. */
  addWorker(): Promise<Postgres>;
  stop(): Promise<void>;
}

interface DistributedOptions {
  dir: string;
  /** The folder with the programs of a Postgres that has the extension Citus. */
  bin: string;
  workers?: number;
  durable: boolean;
  /** How many shards each table has. */
  shards?: number;
  /** False starts servers that know nothing of each other. */
  joins?: boolean;
  say: Say;
}

/** What one server needs beside what development sets. Each database has a process of its own on each server. */
const settingsOf = (shards: number): Readonly<Record<string, string>> => ({
  shared_preload_libraries: 'citus',
  // A shard that moves is copied by logical replication, while it goes on to be written.
  wal_level: 'logical',
  max_replication_slots: '64',
  max_wal_senders: '64',
  max_worker_processes: '64',
  max_prepared_transactions: '200',
  max_connections: '500',
  shared_buffers: '64MB',
  'citus.shard_count': String(shards),
  'citus.node_conninfo': 'sslmode=prefer',
  // Nobody is told of what servers of tests do.
  'citus.enable_statistics_collection': 'off',
});

const inDatabase = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;

/** Starts a coordinator and workers, with a database `parley` that has the extension on all of them. */
export async function startDistributed(options: DistributedOptions): Promise<DistributedPostgres> {
  const { dir, bin, durable, say } = options;
  const settings = settingsOf(options.shards ?? 32);
  const start = async (name: string) => {
    const server = await startPostgres({ dir: join(dir, name), bin, durable, settings, say });
    await allowDecoding(server.url);
    return server;
  };
  const started: Postgres[] = [];
  const stop = async () => void (await Promise.all(started.map((server) => server.stop())));
  try {
    const coordinator = await start('coordinator');
    started.push(coordinator);
    const workers: Postgres[] = [];
    const startWorker = async () => {
      const worker = await start(`worker-${workers.length + 1}`);
      started.push(worker);
      workers.push(worker);
      return worker;
    };
    for (let count = options.workers ?? 2; count > 0; count -= 1) await startWorker();
    const all = () => [coordinator, ...workers];
    const { joins = true } = options;
    if (joins) await joinServers('parley', coordinator, workers);
    return {
      url: coordinator.url,
      coordinator,
      workers,
      async createDatabase(name) {
        await onEach(all(), 'postgres', `create database ${name}`);
        await joinServers(name, coordinator, workers);
        return inDatabase(coordinator.url, name);
      },
      dropDatabase: (name) => onEach(all(), 'postgres', `drop database if exists ${name} with (force)`),
      async addWorker() {
        const worker = await startWorker();
        if (!joins) return worker;
        await onEach([worker], 'parley', 'create extension if not exists citus');
        await addServer(coordinator.url, worker);
        return worker;
      },
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The newest minor versions of Postgres let only what is listed decode the log of writes, which takes an organization elsewhere. */
async function allowDecoding(url: string): Promise<void> {
  await connectTo(url, async (sql) => {
    const [known] = await sql`select from pg_settings where name = 'output_plugin_libraries'`;
    if (!known) return;
    await sql.unsafe(`alter system set output_plugin_libraries = 'pgoutput', 'citus'`);
    await sql`select pg_reload_conf()`;
  });
}

async function onEach(servers: readonly Postgres[], database: string, statement: string): Promise<void> {
  // Citus would propagate some statements, which are made on each server here.
  await Promise.all(
    servers.map(({ url }) =>
      connectTo(inDatabase(url, database), async (sql) => void (await sql.unsafe(statement))),
    ),
  );
}

/** Makes a database that is on each server one. What the coordinator keeps itself it shares with the workers. */
async function joinServers(name: string, coordinator: Postgres, workers: readonly Postgres[]): Promise<void> {
  await onEach([coordinator, ...workers], name, 'create extension if not exists citus');
  const url = inDatabase(coordinator.url, name);
  await connectTo(url, async (sql) => {
    await sql`select citus_set_coordinator_host('127.0.0.1', ${coordinator.port ?? 0})`;
  });
  for (const worker of workers) await addServer(url, worker);
}

/** Adds a server, if it has not been added. */
async function addServer(url: string, { port }: Postgres): Promise<void> {
  await connectTo(url, async (sql) => {
    await sql`
      select citus_add_node('127.0.0.1', ${port ?? 0})
      where not exists (select from pg_dist_node where nodeport = ${port ?? 0})`;
  });
}
