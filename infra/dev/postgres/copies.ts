import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import type { Say } from '../machine/say.ts';
import { connectTo } from './connect-to.ts';
import type { Postgres } from './postgres.ts';
import {
  copyData,
  copyForBackup,
  copyForReplica,
  dropSlots,
  findData,
  stopFollowing,
  waitForReplica,
} from './replica.ts';
import { startPostgres } from './start-postgres.ts';

/** A server of ours of which copies are made. */
export interface PostgresServer {
  port: number;
  /** Ends the server with SIGKILL; it stays down. */
  readonly crash: () => Promise<void>;
  /**
   * Starts a second server that follows this one. If it is synchronous, this one acknowledges a transaction from then on
   * when both have it.
   */
  replicate(options: { isSynchronous: boolean }): Promise<ReplicaServer>;
  /** Copies the data of the server, which goes on meanwhile. */
  backUp(): Promise<Backup>;
}

/** A server that follows another one. */
export interface ReplicaServer extends PostgresServer {
  url: string;
  readonly pid: number | undefined;
  /** From now on it receives nothing. */
  stopFollowing(): Promise<void>;
  /** Makes it a server of its own, which takes writes. */
  promote(): Promise<void>;
}

/** A copy of a server's data. */
interface Backup {
  /** Ends the server, and starts it with the data of the copy. */
  restore(): Promise<void>;
}

interface Copies extends AsyncDisposable {
  /** The server; null if it is not ours. */
  server: PostgresServer | null;
}

/** Makes copies of a server, and of the copies that run. They are stopped when this is disposed of. */
export function createCopies(postgres: Postgres, { durable, say }: { durable: boolean; say: Say }): Copies {
  const started: Postgres[] = [];
  const serverOf = ({ url, port, crash, restart }: Postgres): PostgresServer | null => {
    if (port === undefined || !crash || !restart) return null;
    return {
      port,
      crash,
      async replicate({ isSynchronous }) {
        const data = await findData(url);
        const dir = join(dirname(dirname(data)), `replica-${started.length + 1}`);
        await mkdir(join(dir, 'postgres'), { recursive: true });
        await copyForReplica(
          url,
          data,
          join(dir, 'postgres', basename(data)),
          `replica_${started.length + 1}`,
        );
        const replica = await startPostgres({ dir, durable, say });
        started.push(replica);
        await waitForReplica(url, isSynchronous);
        const server = serverOf(replica);
        if (!server) throw new Error('A replica was not started here.');
        return {
          ...server,
          url: replica.url,
          get pid() {
            return replica.pid;
          },
          stopFollowing: () => stopFollowing(replica.url),
          async promote() {
            await connectTo(replica.url, async (sql) => void (await sql`select pg_promote()`));
          },
        };
      },
      async backUp() {
        const data = await findData(url);
        const copy = `${data}-backup`;
        await copyForBackup(url, data, copy);
        return {
          async restore() {
            await crash();
            await copyData(copy, data);
            await restart();
          },
        };
      },
    };
  };
  return {
    server: serverOf(postgres),
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((one) => one.stop()));
      // Where the server runs on, or starts again, it does not keep for ever what they would have to read.
      if (started.length > 0) await dropSlots(postgres.url).catch(() => undefined);
    },
  };
}
