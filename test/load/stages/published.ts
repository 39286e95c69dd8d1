import { createLogger } from '@parley/kit';
import { connectRedis, keys, partitionOf, redisReady } from '@parley/redis';

const redisMsMax = 10_000;
/** The process has much else to read meanwhile. */
const commandMsMax = 60_000;
/** As nodes have it unless they are told otherwise. */
const partitions = 16;
const pageRuns = 1000;

/** When entries came to Redis, by what its streams still have. */
export interface Published {
  /** Milliseconds since 1970; null of an entry that nobody published, or that is gone. */
  at(realmId: number, seq: number): number | null;
}

interface Run {
  lastSeq: number;
  atMs: number;
}

export async function readPublished(redisUrl: string, realmIds: readonly number[]): Promise<Published> {
  const logger = createLogger({ role: 'load', level: 'error' });
  const redis = connectRedis({ url: redisUrl, name: 'load-streams', logger, commandMsMax });
  const runs = new Map<number, Run[]>(realmIds.map((id) => [id, []]));
  try {
    await redisReady(redis, redisMsMax);
    for (const partition of new Set(realmIds.map((id) => partitionOf(id, partitions)))) {
      for (let after = '-'; ;) {
        const page = await redis.xrange(keys.log(partition), after, '+', 'COUNT', pageRuns);
        for (const [id, [, realm, , seq]] of page)
          runs.get(Number(realm))?.push({ lastSeq: Number(seq), atMs: Number(id.split('-')[0]) });
        const last = page.at(-1)?.[0];
        if (last === undefined || page.length < pageRuns) break;
        after = `(${last}`;
      }
    }
  } finally {
    redis.disconnect();
  }
  for (const some of runs.values()) some.sort((one, other) => one.lastSeq - other.lastSeq);
  return { at: (realmId, seq) => firstFrom(runs.get(realmId) ?? [], seq)?.atMs ?? null };
}

/** The run that an entry is in ends with it or behind it. */
function firstFrom(runs: readonly Run[], seq: number): Run | undefined {
  let [from, to] = [0, runs.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((runs[middle]?.lastSeq ?? Infinity) < seq) from = middle + 1;
    else to = middle;
  }
  return runs[from];
}
