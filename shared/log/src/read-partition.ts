import { type Logger, backoffMs, onSilence, pause } from '@parley/kit';
import { type Redis, keys, redisReady } from '@parley/redis';

import type { CarriedRun } from './carried-run.ts';

const blockMs = 1000;
const silentMs = 500;
const countMax = 500;
/** How much of what a stream holds is looked at when reading begins. */
const found = { runs: 100, pages: 20 };

/**
 * Reads one partition's stream until the signal aborts, through every loss of Redis. Entries that Redis trims or loses
 * meanwhile are skipped.
 */
export async function readPartition(deps: ReadPartitionDeps): Promise<void> {
  const { partition, connectRedis, logger, signal, onCarried, onState, onFound } = deps;
  const redis = connectRedis();
  const stop = () => redis.disconnect();
  signal.addEventListener('abort', stop, { once: true });
  const key = keys.log(partition);
  let after: string | null = null;
  for (let failures = 0; !signal.aborted;) {
    try {
      if (!(await redisReady(redis, blockMs))) throw new Error('Redis is not connected.');
      // A Redis that hangs answers not even that nothing came.
      using _ = onSilence(blockMs + silentMs, () => redis.disconnect(true));
      // Ids are times: a stream that starts again after Redis lost its data continues above the old ids.
      after ??= await readFound(redis, key, onFound);
      onState(true);
      failures = 0;
      const streams: [string, [string, string[]][]][] | null = await redis.xread(
        'COUNT',
        countMax,
        'BLOCK',
        blockMs,
        'STREAMS',
        key,
        after,
      );
      for (const [, entries] of streams ?? []) {
        after = entries.at(-1)?.[0] ?? after;
        onCarried(entries.map(([, fields]) => readFields(fields)));
      }
    } catch (error) {
      if (signal.aborted) break;
      onState(false);
      logger.debug({ err: error, partition }, 'reading the stream failed');
      await pause(backoffMs(failures, { firstMs: 20, maxMs: 500 }), signal);
      failures += 1;
    }
  }
  signal.removeEventListener('abort', stop);
  redis.disconnect();
}

/** Reads what the stream ends with, the newest first, and returns its end. */
async function readFound(redis: Redis, key: string, onFound: ReadPartitionDeps['onFound']): Promise<string> {
  let end: string | undefined;
  for (let [before, pages] = ['+', 0]; pages < found.pages; pages += 1) {
    const page = await redis.xrevrange(key, before, '-', 'COUNT', found.runs);
    end ??= page[0]?.[0] ?? '0-0';
    onFound(page.map(([, fields]) => readFields(fields)));
    const oldest = page.at(-1)?.[0];
    if (oldest === undefined || page.length < found.runs) break;
    before = `(${oldest}`;
  }
  return end ?? '0-0';
}

export interface ReadPartitionDeps {
  partition: number;
  connectRedis: () => Redis;
  logger: Logger;
  signal: AbortSignal;
  readonly onCarried: (runs: CarriedRun[]) => void;
  /** Receives what the stream held before reading began, the newest first: it is not read otherwise. */
  readonly onFound: (runs: CarriedRun[]) => void;
  readonly onState: (isUp: boolean) => void;
}

function readFields(fields: string[]): CarriedRun {
  const [, realmId, , lastSeq, , signed, , traces] = fields;
  return { realmId: Number(realmId), lastSeq: Number(lastSeq), signed: signed ?? '', traces };
}
