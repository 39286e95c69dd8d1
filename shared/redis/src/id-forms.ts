import type { Clock } from '@parley/kit';
import type { IdForm } from '@parley/protocol';
import type { Redis } from 'ioredis';

import { keys } from './keys.ts';
import { listNodes } from './nodes.ts';
import type { Signer } from './signer.ts';

const askedEveryMs = 2000;
/** So long after the last node of an older version, an upgrade may still be taken back. */
const returnableSeconds = 15 * 60;

/**
 * Returns a function that resolves with the form of ids that new queues get: dense, unless a queue node runs, or ran a
 * moment ago, that cannot count them. Such a node takes a queue with dense ids for none. Redis is asked every two
 * seconds; while it is away, queues get the form that all nodes know.
 */
export function createIdForms(redis: Redis, signer: Signer, clock: Clock): () => Promise<IdForm> {
  let answer: Promise<IdForm> = Promise.resolve('wide');
  let askedMs = Number.NEGATIVE_INFINITY;

  async function ask(): Promise<IdForm> {
    const nodes = await listNodes(redis, signer, clock);
    const isOld = nodes.some(({ role, idForms }) => role === 'queue' && !idForms.includes('dense'));
    if (isOld) await redis.set(keys.wideIds, 1, 'EX', returnableSeconds);
    return isOld || (await redis.exists(keys.wideIds)) === 1 ? 'wide' : 'dense';
  }

  return () => {
    const nowMs = clock.nowMs();
    if (nowMs - askedMs < askedEveryMs) return answer;
    askedMs = nowMs;
    answer = ask().catch(() => {
      askedMs = Number.NEGATIVE_INFINITY;
      return 'wide';
    });
    return answer;
  };
}
