import type { Sql } from '@parley/db';
import { type Logger, after, every, onSilence } from '@parley/kit';
import { gauge, tally } from '@parley/telemetry';

const checkMs = 500;
/**
 * How long an answer may take, as a share of the time that a connection may take to open: 1.5 of usually 5 seconds. It
 * is longer than Postgres takes for anything as small while it is merely busy.
 */
const silentMax = 0.3;
/** The same where a connection has to open first: the connection's own limit ends later. */
const unopenedMax = 0.9;

const up = gauge('parley_database_up', 'Whether Postgres answered the last check');
const hangsSeen = tally('parley_database_hangs_total', 'How often Postgres stopped answering');

/** Notices when Postgres hangs: its connections stand, and no statement is answered. */
export interface DatabaseWatch extends AsyncDisposable {
  /**
   * Does work that waits for Postgres. While Postgres hangs, work fails at once, and work under way fails two seconds
   * after Postgres fell silent (longer where the URL lets connections take longer than usual to open), with an error of
   * which `isDatabaseUnavailable` is true. Its statements are not taken back: they may still be carried out.
   */
  whileAnswering<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Returns a function that calls `onChange` when it is given another value than the time before, and the first time. */
function changesOf(onChange: () => void): (value: unknown) => void {
  let before: unknown;
  return (value) => {
    if (before !== value) onChange();
    before = value;
  };
}

class DatabaseHangs extends Error {
  readonly code = 'DATABASE_HANGS';
}

const hangs = () => new DatabaseHangs('Postgres does not answer.');

interface WatchOptions {
  /** How a watch waits: by the timers of the system, in tests by hand. */
  timers?: { every: typeof every; after: typeof after };
  /**
   * Is called when another server answers than before, or the same one after it was started again. The first one is another,
   * too: this process may have appended to one that was gone before this client reached it.
   */
  onOtherServer?: () => void;
  /** What logs call a server that metrics of the database are not about: a replica, or one of several servers. */
  other?: string | undefined;
}

/** Watches by a client of its own, which is used for nothing else, and ends it. */
export function createDatabaseWatch(
  sql: Sql,
  logger: Logger,
  { timers = { every, after }, onOtherServer = () => undefined, other }: WatchOptions = {},
): DatabaseWatch {
  const underway = new Set<(error: Error) => void>();
  let state: 'answers' | 'refuses' | 'hangs' = 'answers';
  let isOpen = false;
  const meet = changesOf(onOtherServer);
  const name = other ?? 'Postgres';
  const measuring = other !== undefined ? undefined : up.watch((set) => set(state === 'answers' ? 1 : 0));

  function takeForHanging(): void {
    if (state === 'hangs') return;
    state = 'hangs';
    if (other === undefined) hangsSeen.count += 1;
    logger.warn(`${name} does not answer`);
    for (const reject of underway) reject(hangs());
    underway.clear();
  }

  async function ask(): Promise<void> {
    const silentMs = sql.options.connect_timeout * 1000 * (isOpen ? silentMax : unopenedMax);
    using _ = onSilence(silentMs, takeForHanging, timers.after);
    try {
      const [server] = await sql<{ startedAt: string }[]>`
        select extract(epoch from pg_postmaster_start_time())::text as "startedAt"`;
      isOpen = true;
      meet(server?.startedAt);
      if (state === 'hangs') logger.info(`${name} answers again`);
      state = 'answers';
    } catch {
      isOpen = false;
      if (state === 'answers') state = 'refuses';
      // A Postgres that refuses says so to everybody who asks. One that hangs has not answered yet.
    }
  }

  // At once: what this process appends before it has met its server may be lost with it.
  void ask();
  const asking = timers.every(checkMs, logger, ask);

  return {
    async whileAnswering(work) {
      if (state === 'hangs') throw hangs();
      return await new Promise((resolve, reject) => {
        underway.add(reject);
        work()
          .then(resolve, reject)
          .finally(() => underway.delete(reject));
      });
    },
    async [Symbol.asyncDispose]() {
      asking[Symbol.dispose]();
      measuring?.[Symbol.dispose]();
      await sql.end({ timeout: 1 });
    },
  };
}
