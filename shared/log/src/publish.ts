import type { Clock, Logger } from '@parley/kit';
import { type Redis, type Signer, keys, partitionOf } from '@parley/redis';
import { currentTracing, tallies } from '@parley/telemetry';

import type { Appended } from './append.ts';

const streamMs = 15 * 60_000;
const streamCheckMs = 1000;
/** Longer entries are only announced: nodes read them from Postgres. */
const carriedLengthMax = 64 * 1024;
const published = tallies(
  'parley_log_published_total',
  'Entries that this process gave to Redis, that Redis did not take, and that it left to Postgres',
  'outcome',
  ['sent', 'failed', 'skipped'],
);
const unansweredMax = { entries: 20_000, length: 64 * 1024 * 1024 };

/** Publishes committed entries to the queue nodes. Best effort: the nodes read entries that do not arrive from Postgres. */
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
  const { redis, signer, clock, logger, partitions, streamBytesMax = 32 * 1024 * 1024 } = deps;
  const unanswered = { entries: 0, length: 0 };
  const checkedMs = new Map<string, number>();
  let failures = 0;

  function onError(error: unknown): void {
    failures += 1;
    published.failed.count += 1;
    if (failures % 1000 === 1)
      logger.warn({ err: error, failures }, 'publishing failed; nodes read Postgres');
  }

  /** Bounds the stream's memory. It is looked at once a second at most, so it may be above the bound for so long. */
  async function boundStream(key: string): Promise<void> {
    const nowMs = clock.nowMs();
    if (nowMs - (checkedMs.get(key) ?? 0) < streamCheckMs) return;
    checkedMs.set(key, nowMs);
    const bytes = (await redis.memory('USAGE', key)) ?? 0;
    if (bytes <= streamBytesMax) return;
    const kept = ((await redis.xlen(key)) * streamBytesMax) / bytes / 2;
    await redis.xtrim(key, 'MAXLEN', Math.floor(kept));
  }

  function publishEntry(realmId: number, seq: number, entry: string, trace: string | undefined): void {
    // Entries must not fill this process's memory while Redis does not answer, so some are left to Postgres.
    const isFull = unanswered.entries >= unansweredMax.entries || unanswered.length >= unansweredMax.length;
    if (isFull || redis.status !== 'ready') {
      published.skipped.count += 1;
      return;
    }
    published.sent.count += 1;
    const carried = entry.length > carriedLengthMax ? '' : signer.sign(`entry ${realmId} ${seq}`, entry);
    unanswered.entries += 1;
    unanswered.length += carried.length;
    const key = keys.log(partitionOf(realmId, partitions));
    const oldest = clock.nowMs() - streamMs;
    const traced = trace === undefined ? [] : ['t', trace];
    redis
      .xadd(key, 'MINID', '~', oldest, '*', 'r', realmId, 's', seq, 'e', carried, ...traced)
      .finally(() => {
        unanswered.entries -= 1;
        unanswered.length -= carried.length;
      })
      .then(() => boundStream(key))
      .catch(onError);
  }

  return {
    publish(realmId, appended) {
      const tracing = currentTracing();
      for (const answer of appended) {
        if (!('entry' in answer)) continue;
        const { seq, entry } = answer;
        const parent = tracing ? ('trace' in answer && answer.trace) || tracing.current() : undefined;
        const trace = parent && tracing?.published(parent, { 'parley.realm': realmId, 'parley.seq': seq });
        publishEntry(realmId, seq, entry, trace);
      }
    },
  };
}
