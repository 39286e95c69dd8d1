import { readFileSync } from 'node:fs';

import type { Clock } from '@parley/kit';
import { QueueRecord, queueTimes } from '@parley/protocol';
import type { ChainableCommander, Redis } from 'ioredis';

import { keys } from './keys.ts';
import { rateLimitHit } from './rate-limits.ts';
import type { Signer } from './signer.ts';

/**
 * The filters of all event queues, so that any node can serve any of them. Redis only carries them: nodes keep the queues
 * that they serve in memory, and restore them when Redis has lost its data. Records are signed, so that nobody who can
 * write to Redis makes a queue of somebody else's events. Every method rejects when Redis is away.
 */
export interface Registry {
  /**
   * Saves a new queue.
   *
   * @throws RATE_LIMIT_HIT if its owner has `queuesMax` queues already, with the time until one of them may have idled out
   */
  add(queue: SavedQueue, queuesMax: number): Promise<void>;
  /** Finds a queue; on a miss, also returns how far the miss can be trusted. */
  lookUp(queueId: string): Promise<LookedUpQueue>;
  /** Deletes a queue, on every node. */
  remove(queue: QueueKey): Promise<void>;
  /** Deletes queues that have idled for too long. */
  expire(queues: readonly QueueKey[]): Promise<void>;
  /** Makes this node the holder of the queue's waiting poll, and notifies the node that was. */
  setHolder(queueId: string, nodeId: string, ttlSeconds: number): Promise<void>;
  /** Renews queues that this node serves. A queue that has another holder keeps it. */
  renew(queues: readonly RenewedQueue[], nodeId: string): Promise<void>;
  /** The time since which Redis has kept its data, in milliseconds: `nowMs` when it has just lost everything. */
  dataLossMarker(nowMs: number): Promise<number>;
}

type QueueKey = Pick<QueueRecord, 'id' | 'userId'>;

interface SavedQueue {
  record: QueueRecord;
  ttlSeconds: number;
}

export interface RenewedQueue extends SavedQueue {
  /** The queue's latest poll waits at the node that renews it. */
  isHolder: boolean;
}

interface LookedUpQueue {
  record: QueueRecord | null;
  /** On a miss, the time since which Redis has kept its data; null when it has just lost everything. */
  dataLossMarkerMs: number | null;
}

const queuesPerPipeline = 500;
/** What the signatures of records are for. */
const scope = 'queue';

interface Scripted {
  countQueue(
    key: string,
    nowMs: number,
    queueId: string,
    endsMs: number,
    queuesMax: number,
    keptSeconds: number,
  ): Promise<number>;
}

/** Safe: the method has just been defined, with the keys and arguments that the script's header lists. */
function defineScript(redis: Redis): Scripted {
  const lua = readFileSync(new URL('../scripts/count-queue.lua', import.meta.url), 'utf8');
  redis.defineCommand('countQueue', { numberOfKeys: 1, lua });
  return redis as unknown as Scripted;
}

export function createRegistry(redis: Redis, signer: Signer, clock: Clock): Registry {
  const scripted = defineScript(redis);
  const signed = (record: QueueRecord) => signer.sign(scope, JSON.stringify(record));

  function countQueue(pipeline: ChainableCommander, { id, userId }: QueueRecord, ttlSeconds: number) {
    const ofUser = keys.queuesOf(userId);
    // A queue with a shorter life must not end the list of one with a longer life.
    return pipeline
      .zadd(ofUser, clock.nowMs() + ttlSeconds * 1000, id)
      .expire(ofUser, queueTimes.idleSecondsMax);
  }

  async function inPipelines<Item>(
    items: readonly Item[],
    add: (pipeline: ChainableCommander, item: Item) => unknown,
  ): Promise<void> {
    for (let start = 0; start < items.length; start += queuesPerPipeline) {
      const pipeline = redis.pipeline();
      for (const item of items.slice(start, start + queuesPerPipeline)) add(pipeline, item);
      for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
    }
  }

  return {
    async add({ record, ttlSeconds }, queuesMax) {
      const nowMs = clock.nowMs();
      const firstEndsMs = await scripted.countQueue(
        keys.queuesOf(record.userId),
        nowMs,
        record.id,
        nowMs + ttlSeconds * 1000,
        queuesMax,
        queueTimes.idleSecondsMax,
      );
      if (firstEndsMs > 0) {
        const budget = { limit: queuesMax, remaining: 0, resetMs: firstEndsMs - nowMs };
        throw rateLimitHit(
          budget,
          nowMs,
          'You have too many event queues. Delete those that you no longer poll.',
        );
      }
      await redis.set(keys.queue(record.id), signed(record), 'EX', ttlSeconds);
    },
    async lookUp(queueId) {
      const record = parseRecord(signer, queueId, await redis.get(keys.queue(queueId)));
      // Read after the miss: a marker that is old now was old when the miss happened.
      const marker = record ? null : await redis.get(keys.dataLossMarker);
      return { record, dataLossMarkerMs: marker === null ? null : Number(marker) };
    },
    async remove({ id, userId }) {
      await redis.del(keys.queue(id), keys.queueHolder(id));
      await redis.zrem(keys.queuesOf(userId), id);
      await redis.publish(keys.queuesEnded, id);
    },
    async expire(queues) {
      await inPipelines(queues, (pipeline, { id, userId }) =>
        pipeline.del(keys.queue(id), keys.queueHolder(id)).zrem(keys.queuesOf(userId), id),
      );
    },
    async setHolder(queueId, nodeId, ttlSeconds) {
      const before = await redis.set(keys.queueHolder(queueId), nodeId, 'EX', ttlSeconds, 'GET');
      if (before !== null && before !== nodeId) await redis.publish(keys.queuesTaken(before), queueId);
    },
    async renew(queues, nodeId) {
      await inPipelines(queues, (pipeline, { record, ttlSeconds, isHolder }) => {
        pipeline.set(keys.queue(record.id), signed(record), 'EX', ttlSeconds);
        countQueue(pipeline, record, ttlSeconds);
        if (!isHolder) return;
        const holder = keys.queueHolder(record.id);
        pipeline.set(holder, nodeId, 'EX', ttlSeconds, 'NX').expire(holder, ttlSeconds);
      });
    },
    async dataLossMarker(nowMs) {
      const before = await redis.set(keys.dataLossMarker, String(nowMs), 'NX', 'GET');
      return before === null ? nowMs : Number(before);
    },
  };
}

/** The record of a queue, as it stands in Redis; null for one that is not there, or is not signed. */
export function parseRecord(signer: Signer, queueId: string, signed: string | null): QueueRecord | null {
  const json = signed === null ? null : signer.verify(scope, signed);
  if (json === null) return null;
  const parsed = QueueRecord.safeParse(JSON.parse(json));
  return parsed.success && parsed.data.id === queueId ? parsed.data : null;
}
