import { pause } from '@parley/kit';

import type { Say, Session } from './session.ts';

/** The first look is soon, because most locks are waited for shortly. */
const lookAfterMs = { first: 20, most: 1000 };
const sayEveryMs = 10_000;

interface Blocker {
  pid: number;
  name: string;
  state: string;
  seconds: number;
  /** Tables that it locks in the mode in which they are vacuumed, and in which indexes are built. */
  vacuumed: readonly string[];
}

/** Sees, from another connection, which transactions a statement waits for. */
export interface Blockers extends AsyncDisposable {
  /** Those that were seen last, as a sentence says it; empty if none was. */
  seen(): string;
  /** What to run to be rid of them. */
  remedy(): string;
  /** The tables that they vacuum, or do something else to that keeps only the like of it out. */
  vacuumed(): string[];
}

/** Looks until it is disposed of, and says every ten seconds for whom a statement waits. */
export function watchBlockers({ watch, pid }: Session, say: Say): Blockers {
  const stop = new AbortController();
  let last: readonly Blocker[] = [];
  let sayAtMs = performance.now() + sayEveryMs;
  const watching = look();

  async function look(): Promise<void> {
    for (let ms = lookAfterMs.first; ; ms = Math.min(ms * 2, lookAfterMs.most)) {
      await pause(ms, stop.signal);
      if (stop.signal.aborted) return;
      const blockers = await findBlockers(watch, pid).catch(() => []);
      if (blockers.length > 0) last = blockers;
      if (blockers.length > 0 && performance.now() > sayAtMs) {
        say(`  waits for ${describe(blockers)}`);
        sayAtMs = performance.now() + sayEveryMs;
      }
    }
  }

  return {
    seen: () => describe(last),
    remedy: () =>
      last
        .filter(({ pid }) => pid !== 0)
        .map((one) => `select pg_terminate_backend(${one.pid});`)
        .join(' ') || 'see pg_prepared_xacts',
    vacuumed: () => [...new Set(last.flatMap((one) => one.vacuumed))],
    async [Symbol.asyncDispose]() {
      stop.abort();
      await watching;
    },
  };
}

async function findBlockers(watch: Session['watch'], pid: number): Promise<Blocker[]> {
  return await watch<Blocker[]>`
    select b.pid, coalesce(nullif(a.application_name, ''), a.backend_type, 'without a name') as name,
      coalesce(a.state, 'at work') as state,
      coalesce(extract(epoch from clock_timestamp() - coalesce(a.xact_start, a.query_start)), 0)::float8 as seconds,
      array(
        select distinct l.relation::regclass::text
        from pg_locks l join pg_class c on c.oid = l.relation and c.relkind = 'r'
        where l.pid = b.pid and l.granted and l.mode = 'ShareUpdateExclusiveLock'
          and l.database = (select oid from pg_database where datname = current_database())
      ) as vacuumed
    from unnest(pg_blocking_pids(${pid})) b (pid) left join pg_stat_activity a on a.pid = b.pid
    order by seconds desc limit 5`;
}

const describe = (blockers: readonly Blocker[]) =>
  blockers
    .map(({ pid, name, state, seconds }) =>
      pid === 0
        ? 'a prepared transaction'
        : `pid ${pid} (${name}, ${state}, its transaction is ${seconds.toFixed(1)} s old)`,
    )
    .join(', ');
