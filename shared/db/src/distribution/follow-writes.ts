import { pause } from '@parley/kit';
import type { Sql } from 'postgres';

import { MigrationError } from '../migrations/migration-error.ts';
import type { Say, Session } from '../migrations/session.ts';

/** Citus looks once a second whether a server has caught up, at the end while nobody may write. It looks sooner when it is woken. */
const wakeMs = 50;
const channel = 'parley_wake';

const lookMs = 5000;
/** A server that could not follow so often never will: each time it is begun anew, it meets the same change. */
const errorsMax = 3;
/** For a minute. A server that is allowed too few processes for it never begins. */
const idleLooksMax = 12;
const triesMax = 3;

/**
 * Has Citus copy parts of tables to where they go, and follow what is written to them meanwhile. Where a server cannot follow,
 * it is given up within a minute, and tried again.
 *
 * @throws MigrationError where it could not follow again and again
 */
export async function followWrites(session: Session, say: Say, work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const reason = await tryToFollow(session, work);
    if (reason === null) return;
    await session.sql`call citus_cleanup_orphaned_resources()`;
    if (tries === triesMax) {
      throw new MigrationError(
        `A server could not follow what was written: ${reason}. Nothing has changed. Run the command again, at a time at which fewer people write.`,
      );
    }
    say(`A server could not follow what was written (${reason}): beginning anew`);
  }
}

/** Returns null when the work is done, or why it was given up. */
async function tryToFollow(session: Session, work: () => Promise<unknown>): Promise<string | null> {
  const { sql, pid, watch } = session;
  await sql.unsafe(`listen ${channel}`);
  const ended = new AbortController();
  const waking = repeat(wakeMs, ended.signal, () => watch.notify(channel, ''));
  const idle = new Map<string, number>();
  let reason: string | null = null;
  const looking = repeat(lookMs, ended.signal, async () => {
    reason ??= await findFailure(watch, idle);
    if (reason !== null && !ended.signal.aborted) await watch`select pg_cancel_backend(${pid}::int)`;
  });
  try {
    await work();
    return null;
  } catch (error) {
    if (reason === null || !isCancelled(error)) throw error;
    return reason;
  } finally {
    ended.abort();
    await Promise.all([waking, looking]);
    await sql.unsafe(`unlisten ${channel}`);
  }
}

async function repeat(everyMs: number, signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    // What is not done this time is done the next time.
    await work().catch(() => undefined);
    await pause(everyMs, signal);
  }
}

/** Returns a subscription of Citus that has failed again and again, on whichever server, or that nobody works on. */
async function findFailure(watch: Sql, idle: Map<string, number>): Promise<string | null> {
  const rows = await watch<{ result: string }[]>`
    select result from run_command_on_all_nodes(${subscriptions}) where success and result <> ''`;
  const found = rows.flatMap(({ result }) => JSON.parse(result) as Subscription[]);
  for (const { name, errors, isIdle } of found) {
    if (errors >= errorsMax) return `${name} has failed ${errors} times`;
    const looks = isIdle ? (idle.get(name) ?? 0) + 1 : 0;
    idle.set(name, looks);
    if (looks >= idleLooksMax) return `no process works on ${name}`;
  }
  return null;
}

interface Subscription {
  name: string;
  errors: number;
  isIdle: boolean;
}

const subscriptions = `
  select json_agg(json_build_object('name', s.subname, 'errors', coalesce(e.apply_error_count, 0), 'isIdle', w.pid is null))
  from pg_subscription s
  left join pg_stat_subscription_stats e on e.subid = s.oid
  left join pg_stat_subscription w on w.subid = s.oid and w.relid is null
  where s.subenabled and s.subname like 'citus\\_shard\\_%'
    and s.subdbid = (select oid from pg_database where datname = current_database())`;

const isCancelled = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '57014';
