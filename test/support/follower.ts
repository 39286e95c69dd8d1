import { createLogger } from '@parley/kit';
import { connectSql, createFence, createFollower } from '@parley/log';
import { type Redis, connectRedis, createSigner, keys, partitionOf } from '@parley/redis';
import { onTestFinished, vi } from 'vitest';

import { realm } from './realm.ts';
import { type World, getWorld } from './world.ts';

/** All realms share one stream, those of other files as well. */
const shared = 1;
/** Each realm has a stream of its own, on which nothing comes but what its test carries. */
export const own = 200_000_033;

/** An entry as it is recorded; `said` tells entries with one number apart. */
const entryOf = (seq: number, said = 'recorded') => ({
  seq,
  audience: { users: [1] },
  event: { type: 'note', said },
});

/** Entries of one realm's log, put where they are by hand. */
function logOf(world: World, realmId: number, partitions = shared) {
  const signer = createSigner([world.secret]);
  const stream = keys.log(partitionOf(realmId, partitions));
  const sign = (seq: number, said: string, by = signer, count = 1) => {
    const lines = Array.from({ length: count }, (_, index) => JSON.stringify(entryOf(seq + index, said)));
    return by.sign(`entries ${realmId} ${seq + count - 1}`, lines.join('\n'));
  };
  const send = (seq: number, signed: string, ...more: string[]) =>
    world.redis.xadd(stream, '*', 'r', realmId, 's', seq, 'e', signed, ...more);
  return {
    /** Writes entries to Postgres. The head does not say so. */
    async record(...seqs: number[]) {
      for (const seq of seqs) {
        const entry = JSON.stringify(entryOf(seq));
        await world.sql`
          insert into event_log (realm_id, seq, appended_at, entry, bytes)
          values (${realmId}, ${seq}, now(), ${entry}::text::jsonb, ${entry.length})`;
      }
    },
    /** Writes the entries after the first. */
    recordLong: (last: number) => world.sql`
      insert into event_log (realm_id, seq, appended_at, entry, bytes)
      select ${realmId}, seq, now(), jsonb_build_object('seq', seq, 'audience', '{}'::jsonb, 'event',
        '{"type": "note", "said": "long"}'::jsonb), 10 * (seq % 3)
      from generate_series(2, ${last}) seq`,
    setHead: (seq: number) => world.sql`update realm_heads set seq = ${seq} where realm_id = ${realmId}`,
    startAnew: (epoch: string) =>
      world.sql`update realm_heads set epoch = ${epoch}, seq = 0 where realm_id = ${realmId}`,
    carry: (seq: number, said = 'carried') => send(seq, sign(seq, said)),
    /** Carries entries that follow each other together. */
    carryRun: (seq: number, count: number) => send(seq + count - 1, sign(seq, 'together', signer, count)),
    /** Carries entries together with their traces. */
    carryTraced: (seq: number, ...traces: string[]) =>
      send(seq + traces.length - 1, sign(seq, 'traced', signer, traces.length), 't', traces.join(' ')),
    announce: (seq: number) => send(seq, ''),
    forge: (seq: number) =>
      send(seq, sign(seq, 'forged', createSigner(['another secret, 32 characters and more']))),
    /** Carries an entry under the number of another. */
    repeatAs: (seq: number, original: number) => send(seq, sign(original, 'repeated')),
  };
}

export const until = (isSo: () => boolean | Promise<boolean>) => vi.waitUntil(isSo, { timeout: 60_000 });

interface Options {
  /** A connection each. */
  redisUrls?: string[];
  partitions?: number;
  /** Whether what carriers bring is compared with Postgres; otherwise they may bring what it never had. */
  hasFence?: boolean;
}

const nowhereUrl = 'postgres://nobody@127.0.0.1:1/none';

/** No Redis is there. */
export const nowhere = 'redis://127.0.0.1:1';

/** What is observed of a follower: what it hears, and what it asks and logs. */
class Observations {
  readonly heard: string[] = [];
  readonly lost: number[] = [];
  readonly errors: string[] = [];
  readonly warnings: string[] = [];
  readonly details: string[] = [];
  /** What the lines of the log say beside their texts. */
  readonly facts: unknown[] = [];
  readonly connections: Redis[] = [];
  /** After which entries of streams was read. */
  readonly reads: unknown[] = [];
  /** How often heads were read. */
  comparisons = 0;
  /** How often entries were read from Postgres. */
  logReads = 0;

  /** The same client of Postgres, with its reads counted. */
  counting(sql: World['sql']): World['sql'] {
    return new Proxy(sql, {
      apply: (query, self, [text, ...values]: [readonly string[], ...unknown[]]) => {
        if (text[0]?.includes('epoch::text')) this.comparisons += 1;
        if (text[0]?.includes('bytes_before')) this.logReads += 1;
        return Reflect.apply(query, self, [text, ...values]);
      },
    });
  }

  logger(): ReturnType<typeof createLogger> {
    const note =
      (texts: string[]) =>
      (...args: unknown[]) => {
        texts.push(String(args.at(-1)));
        this.facts.push(args[0]);
      };
    const methods = { error: note(this.errors), warn: note(this.warnings), debug: note(this.details) };
    return Object.assign(createLogger({ role: 'test', level: 'silent' }), methods);
  }

  /** A connection whose reads of streams are noted. */
  connect(url: string, logger: ReturnType<typeof createLogger>): Redis {
    const redis = connectRedis({ url, name: 'test-follower', blocking: true, logger });
    this.connections.push(redis);
    const read = redis.xread.bind(redis);
    vi.spyOn(redis, 'xread').mockImplementation((...args: unknown[]) => {
      this.reads.push(args.at(-1));
      return read(...(args as Parameters<typeof read>));
    });
    return redis;
  }

  /** Hears the entries of realms, of which one is `home`. */
  listener(home: number): Parameters<typeof createFollower>[1] {
    return {
      onEntries: (realmId, entries) => {
        if (entries.length === 0) this.heard.push('nothing');
        for (const { seq, event } of entries) {
          this.heard.push(`${realmId === home ? '' : 'other '}${seq} ${String(event['said'])}`);
        }
      },
      onNewEpoch: (realmId) => void this.lost.push(realmId),
    };
  }
}

/** A follower of a realm with an empty log. */
export async function start({ partitions = shared, hasFence = false, ...over }: Options = {}) {
  const world = await getWorld();
  const seen = new Observations();
  const logger = seen.logger();
  const empty = async () => {
    const { realm: home } = await realm();
    await world.sql`delete from event_log where realm_id = ${home.id}`;
    await world.sql`update realm_heads set seq = 0, term = '' where realm_id = ${home.id}`;
    return { id: home.id, ...logOf(world, home.id, partitions) };
  };
  const log = await empty();
  const fenceSql = connectSql({ url: hasFence ? world.databaseUrl : nowhereUrl, name: 'fence', max: 1 });
  const fence = createFence({ sql: fenceSql, logger });
  const follower = createFollower(
    {
      fence,
      sql: seen.counting(world.sql),
      connectRedis: () => seen.connect(over.redisUrls?.[seen.connections.length] ?? world.redisUrl, logger),
      logger,
      partitions,
      signer: createSigner([world.secret]),
      tail: { entries: 100, bytes: 1e6 },
    },
    seen.listener(log.id),
  );
  onTestFinished(async () => {
    await follower[Symbol.asyncDispose]();
    await fence[Symbol.asyncDispose]();
    await fenceSql.end({ timeout: 1 });
  });
  const { head } = await follower.follow(log.id);
  const { heard, lost, errors, warnings, details, facts, connections, reads } = seen;
  return {
    world,
    log,
    empty,
    follower,
    heard,
    lost,
    errors,
    warnings,
    details,
    facts,
    connections,
    reads,
    head,
    comparisons: () => seen.comparisons,
    logReads: () => seen.logReads,
  };
}

/** One that hears what is carried by now. */
export async function open(over: Options = {}) {
  const started = await start(over);
  // A carrier brings what Postgres never had: until it does, it is not read yet.
  await until(async () => {
    await started.log.carry(started.head + 1);
    return started.heard.length > 0;
  });
  return started;
}

/** Lets queries wait for a table while something is done, and then go on. */
export async function holding(table: string, act: (waiting: Waiting) => Promise<void>): Promise<void> {
  const { sql } = await getWorld();
  await sql.begin(async (tx) => {
    await tx`lock table ${tx(table)} in access exclusive mode`;
    const [{ pid: own } = { pid: 0 }] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    let after = '-infinity';
    await act({
      async next() {
        let pid = 0;
        await until(async () => {
          const [found] = await sql<{ pid: number; since: string }[]>`
            select pid, query_start::text as since from pg_stat_activity
            where ${own} = any(pg_blocking_pids(pid))
              and application_name = current_setting('application_name') and query_start > ${after}::text::timestamptz
            order by query_start limit 1`;
          if (found) ({ pid, since: after } = found);
          return found !== undefined;
        });
        return pid;
      },
    });
  });
}

interface Waiting {
  /** Resolves with the process of the next query of this process that waits; those of nodes do not count. */
  next(): Promise<number>;
}

/** As Postgres does with what takes too long. */
export const cancel = async (pid: number) => await (await getWorld()).sql`select pg_cancel_backend(${pid})`;
