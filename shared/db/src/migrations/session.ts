import { pause } from '@parley/kit';
import postgres, { type Sql, type TransactionSql } from 'postgres';

import { readTls } from '../tls.ts';
import { MigrationError } from './migration-error.ts';

/** An arbitrary number that nothing else in the database uses as an advisory lock. */
const migrationLock = 8_712_001;
const askAgainMs = 500;

/** What a migration says while it runs. */
export type Say = (line: string) => void;

export interface Session extends AsyncDisposable {
  /** Its one connection holds the lock of migrations. */
  sql: Sql;
  pid: number;
  /** A connection that looks at what the other one waits for. */
  watch: Sql;
}

/**
 * Connects, and waits until no other process migrates. The lock belongs to a connection and not to a transaction,
 * because an index is built while no older transaction lasts. For the same reason, whoever waits for the lock asks for
 * it again and again: a statement that waits would be an older transaction. When a process dies, Postgres frees the lock
 * once the statement under way has ended; when its machine is gone, a minute later.
 */
export async function openSession(url: string, say: Say): Promise<Session> {
  const [sql, watch] = [connect(url, 'migrate'), connect(url, 'migrate-watch')];
  const close = async () => {
    await Promise.all([sql, watch].map((one) => one.end({ timeout: 1 })));
  };
  try {
    await takeTurn(sql, say);
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    return { sql, pid: row?.pid ?? 0, watch, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

const settings: Readonly<Record<string, string>> = {
  // A build takes as long as it takes, whatever the role allows. Steps set limits of their own.
  statement_timeout: '0',
  idle_session_timeout: '0',
  // A process that is frozen in a transaction loses it with its locks.
  idle_in_transaction_session_timeout: '10000',
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
};

function connect(url: string, name: string): Sql {
  const { url: address, ssl } = readTls(url);
  return postgres(address, {
    ...(ssl && { ssl }),
    max: 1,
    connect_timeout: 10,
    idle_timeout: 0,
    // A new connection would not have the lock.
    max_lifetime: null,
    onnotice: () => undefined,
    connection: { application_name: `parley-${name}`, ...settings },
  });
}

async function takeTurn(sql: Sql, say: Say): Promise<void> {
  let told = '';
  for (;;) {
    const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${migrationLock}) as taken`;
    if (row?.taken) return;
    const holder = await findHolder(sql);
    if (holder !== told) say(`Another process migrates this database${holder}: waiting for it …`);
    told = holder;
    await pause(askAgainMs);
  }
}

async function findHolder(sql: Sql): Promise<string> {
  const [row] = await sql<{ pid: number; name: string }[]>`
    select l.pid, coalesce(a.application_name, '') as name
    from pg_locks l left join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.classid = 0 and l.objid = ${migrationLock} and l.granted
      and l.database = (select oid from pg_database where datname = current_database())`;
  return row ? ` (pid ${row.pid}, ${row.name || 'without a name'})` : '';
}

/** Throws unless the connection holds the lock: it is another one after a failure, or behind a pooler. */
export async function assertTurn(sql: Sql | TransactionSql): Promise<void> {
  const [row] = await sql<{ held: boolean }[]>`
    select exists (
      select from pg_locks
      where locktype = 'advisory' and classid = 0 and objid = ${migrationLock} and granted
        and pid = pg_backend_pid()
    ) as held`;
  if (row?.held) return;
  throw new MigrationError(
    'The connection that migrates was lost. Run `parley migrate` again: it goes on where it was. ' +
      'DATABASE_URL must lead to Postgres itself: behind a pooler, a connection keeps no lock.',
  );
}
