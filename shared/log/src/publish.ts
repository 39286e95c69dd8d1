import type { Clock, Logger } from '@parley/kit';
import { queueTimes } from '@parley/protocol';
import { type Redis, type Signer, keys, partitionOf } from '@parley/redis';
import { currentTracing, tallies } from '@parley/telemetry';

import type { Appended } from './append.ts';

const streamMs = 15 * 60_000;
const streamCheckMs = 1000;
/**
 * A stream to which nobody writes any more, because the number of partitions was changed, is gone after so long. What it ends
 * with says where logs have been, to nodes that are all started again: so it is kept as long as any client may hold a cursor.
 */
const abandonedMs = (queueTimes.idleSecondsMax + queueTimes.registrySlackSeconds) * 1000 + streamMs;
/** The most memory of one stream in Redis, and of all of them together. */
const streamBytes = { most: 32 * 1024 * 1024, together: 512 * 1024 * 1024 };
/** What is carried together. A longer entry is only announced: nodes read it from Postgres. */
const carriedLengthMax = 64 * 1024;
/** Stands for the trace of an entry that has none. */
const untraced = '-';
const published = tallies(
  'parley_log_published_total',
  'Entries that this process published to Redis, that Redis did not accept, and that it left to Postgres',
  'outcome',
  ['sent', 'failed', 'skipped'],
);
const unansweredMax = { entries: 20_000, length: 64 * 1024 * 1024 };

/**
 * Publishes committed entries to the queue nodes: those that were appended together are carried together, a line each,
 * with one signature. Best effort: the nodes read entries that do not arrive from Postgres.
 */
export interface Publisher {
  publish(realmId: number, appended: readonly Appended[]): void;
}

export interface PublisherDeps {
  redis: Redis;
  signer: Signer;
  clock: Clock;
  logger: Logger;
  partitions: number;
  /** A stream that takes more memory than this is cut to half of it. Nodes read what is cut off from Postgres. */
  streamBytesMax?: number;
}

export function createPublisher(deps: PublisherDeps): Publisher {
  const { redis, signer, clock, logger, partitions } = deps;
  const { streamBytesMax = Math.min(streamBytes.most, streamBytes.together / partitions) } = deps;
  const unanswered = { entries: 0, length: 0 };
  const checkedMs = new Map<string, number>();
  let failures = 0;

  /** `entries` says how many Redis did not take. */
  function onError(error: unknown, entries: number): void {
    failures += 1;
    published.failed.count += entries;
    if (failures % 1000 === 1)
      logger.warn({ err: error, failures }, 'publishing to Redis failed; nodes read Postgres instead');
  }

  /** Bounds the stream's memory. It is looked at once a second at most, so it may be above the bound for so long. */
  async function boundStream(key: string): Promise<void> {
    const nowMs = clock.nowMs();
    if (nowMs - (checkedMs.get(key) ?? 0) < streamCheckMs) return;
    checkedMs.set(key, nowMs);
    await redis.pexpire(key, abandonedMs);
    const bytes = (await redis.memory('USAGE', key)) ?? 0;
    if (bytes <= streamBytesMax) return;
    const kept = ((await redis.xlen(key)) * streamBytesMax) / bytes / 2;
    await redis.xtrim(key, 'MAXLEN', Math.floor(kept));
  }

  function send(realmId: number, { lastSeq, entries, length, traces }: Run): void {
    // Entries must not fill this process's memory while Redis does not answer, so some are left to Postgres.
    const isFull = unanswered.entries >= unansweredMax.entries || unanswered.length >= unansweredMax.length;
    if (isFull || redis.status !== 'ready') {
      published.skipped.count += entries.length;
      return;
    }
    published.sent.count += entries.length;
    const isCarried = length <= carriedLengthMax;
    const carried = isCarried ? signer.sign(`entries ${realmId} ${lastSeq}`, entries.join('\n')) : '';
    unanswered.entries += entries.length;
    unanswered.length += carried.length;
    const key = keys.log(partitionOf(realmId, partitions));
    const oldest = clock.nowMs() - streamMs;
    const traced = traces.some((trace) => trace !== untraced) ? ['t', traces.join(' ')] : [];
    redis
      .xadd(key, 'MINID', '~', oldest, '*', 'r', realmId, 's', lastSeq, 'e', carried, ...traced)
      .finally(() => {
        unanswered.entries -= entries.length;
        unanswered.length -= carried.length;
      })
      .then(
        () => boundStream(key),
        (error: unknown) => onError(error, entries.length),
      )
      .catch((error: unknown) => onError(error, 0));
  }

  return {
    publish(realmId, appended) {
      const tracing = currentTracing();
      let run: Run | null = null;
      for (const answer of appended) {
        if (!('entry' in answer)) continue;
        const { seq, entry } = answer;
        const parent = tracing ? ('trace' in answer && answer.trace) || tracing.current() : undefined;
        const trace = parent && tracing?.published(parent, { 'parley.realm': realmId, 'parley.seq': seq });
        if (run && (seq !== run.lastSeq + 1 || run.length + entry.length > carriedLengthMax)) {
          send(realmId, run);
          run = null;
        }
        run ??= { lastSeq: seq, entries: [], length: 0, traces: [] };
        run.lastSeq = seq;
        run.entries.push(entry);
        run.length += entry.length;
        run.traces.push(trace ?? untraced);
      }
      if (run) send(realmId, run);
    },
  };
}

/** Entries of a realm that follow each other, with where their traces go on. */
interface Run {
  lastSeq: number;
  entries: string[];
  length: number;
  traces: string[];
}
