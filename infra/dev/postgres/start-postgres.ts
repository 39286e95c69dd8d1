import { openSync, closeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { pause } from '@parley/kit';

import { freePort } from '../machine/free-port.ts';
import { retryUntil } from '../machine/retry-until.ts';
import { sayOnStdout, type Say } from '../machine/say.ts';
import { findServerUser, folderFor, type ServerUser } from '../machine/server-user.ts';
import { Supervised } from '../machine/supervise.ts';
import { tail } from '../machine/tail.ts';
import { spawnTied } from '../machine/tied-process.ts';
import { connectTo } from './connect-to.ts';
import { type PostgresBinaries, describePostgres, findPostgresBinaries } from './postgres-binaries.ts';
import { startPostgresContainer } from './postgres-container.ts';
import { clearStalePid, createPostgresData, findPostgresData } from './postgres-data.ts';
import type { Postgres } from './postgres.ts';

export interface PostgresOptions {
  dir: string;
  /** The URL of an existing database, which is used instead of starting one. */
  url?: string | undefined;
  /** False makes Postgres faster and unsafe in a power cut, for tests. */
  durable: boolean;
  /** The major version of new data; any by default. */
  major?: number | undefined;
  /** Folder of sockets, for programs that know no other way to the server; none by default. */
  sockets?: string | undefined;
  /** The folder with the programs of the server, instead of one that is found. */
  bin?: string | undefined;
  /** Settings over those that development has. */
  settings?: Readonly<Record<string, string>>;
  say?: Say;
}

/** Starts a Postgres with a new or an earlier database `parley`. It listens on loopback and ends with this process. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { url, say = sayOnStdout } = options;
  if (url) return givenPostgres(url);
  const user = await findServerUser();
  const home = await folderFor(user, resolve(options.dir), 'postgres', say);
  const written = await findPostgresData(home);
  let binaries: PostgresBinaries;
  try {
    binaries = options.bin
      ? await describePostgres(options.bin, options.bin)
      : await findPostgresBinaries(user, written, say, options.major);
  } catch (error) {
    // A container would begin with data of its own, of its version.
    if (written ?? options.major ?? options.bin) throw error;
    return await startPostgresContainer(error, say);
  }
  const data = written ?? (await createPostgresData(binaries, home, user));
  return await startServer(binaries, data.path, user, { ...options, say });
}

async function givenPostgres(url: string): Promise<Postgres> {
  await connectTo(url).catch((error: unknown) => {
    throw new Error(
      `The Postgres at DATABASE_URL does not answer (${messageOf(error)}). Start it, or unset DATABASE_URL to use one of our own.`,
    );
  });
  const stop = async () => {};
  return { url, source: 'DATABASE_URL', stop, [Symbol.asyncDispose]: stop };
}

async function startServer(
  binaries: PostgresBinaries,
  data: string,
  user: ServerUser | undefined,
  { dir, durable, sockets = '', settings = {}, say }: PostgresOptions & { say: Say },
): Promise<Postgres> {
  await clearStalePid(data);
  const logs = join(resolve(dir), 'logs');
  await mkdir(logs, { recursive: true });
  const server = await runServer({ binaries, user, durable, sockets, settings, say, data, logs });
  return {
    url: urlOf(server.port),
    ...server,
    get pid() {
      return server.pid;
    },
    source: `${binaries.source}, data in ${data}`,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

interface ServerOptions {
  binaries: PostgresBinaries;
  user: ServerUser | undefined;
  data: string;
  logs: string;
  durable: boolean;
  sockets: string;
  settings: Readonly<Record<string, string>>;
  say: Say;
}

const urlOf = (port: number) => `postgres://parley@127.0.0.1:${port}/parley`;

/** Runs a server on a data directory, on a port that it keeps. */
async function runServer(options: ServerOptions) {
  const { binaries, user, data, logs, say } = options;
  const port = await freePort();
  const log = join(logs, 'postgres.log');
  const server = new Supervised(
    {
      name: 'postgres',
      spawn() {
        const output = openSync(log, 'a');
        const child = spawnTied(join(binaries.bin, 'postgres'), serverArguments(port, options), {
          cwd: '/',
          env: environment(),
          stdio: ['ignore', output, output],
          deathSignal: 'INT',
          user,
        });
        closeSync(output);
        return child;
      },
      ready: (_, signal) => retryUntil(() => provideDatabase(urlOf(port)), signal),
      readyMsMax: 60_000,
      // INT is Postgres's fast shutdown. TERM would wait until all clients have disconnected.
      stopSignal: 'SIGINT',
    },
    say,
  );
  const start = async (triesLeft = 20): Promise<void> => {
    try {
      await server.start();
    } catch (error) {
      const end = await tail(log);
      // After a server is killed, a busy backend lives until its query has finished.
      if (end.includes('pre-existing shared memory block') && triesLeft > 0) {
        await pause(500);
        return start(triesLeft - 1);
      }
      throw new Error(
        `${messageOf(error)}. If its data is damaged, restore ${data} from a backup, or move it away to begin anew. ` +
          `This is the end of ${log}:\n\n${end}`,
        { cause: error },
      );
    }
  };
  await start();
  return {
    port,
    get pid() {
      return server.pid;
    },
    stop: () => server.stop(),
    async restart() {
      await server.stop();
      await start();
    },
    async crash() {
      server.kill('SIGKILL');
      await server.stop();
    },
  };
}

// Variables of this process such as DATABASE_URL and PG… must not reach the server, but where its libraries are.
function environment(): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH } = process.env;
  return { PATH, LANG: 'C.UTF-8', TZ: 'UTC', ...(LD_LIBRARY_PATH !== undefined && { LD_LIBRARY_PATH }) };
}

/** A server that nobody keeps waits for no disk, and who waits for its index to be cleaned does not wait for rests in between. */
const undurable = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum_vacuum_cost_delay: '0',
};

function serverArguments(port: number, { data, durable, sockets, settings }: ServerOptions): string[] {
  const all = {
    // Tests have a dozen clients in each of as many processes as the machine has cores, and more.
    max_connections: durable ? '400' : '1000',
    unix_socket_directories: sockets,
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(durable ? {} : undurable),
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', data, '-h', '127.0.0.1', '-p', String(port), ...flags];
}

async function provideDatabase(url: string): Promise<void> {
  await connectTo(Object.assign(new URL(url), { pathname: '/postgres' }).href, async (sql) => {
    const databases = await sql`select from pg_database where datname = 'parley'`;
    if (databases.length === 0) await sql`create database parley`;
  });
}
