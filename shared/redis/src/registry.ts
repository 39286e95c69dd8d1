import { QueueRecord } from '@parley/protocol';
import type { ChainableCommander, Redis } from 'ioredis';

import { keys } from './keys.ts';

export interface SavedQueue {
  record: QueueRecord;
  ttlSeconds: number;
}

export interface HeldQueue extends SavedQueue {
  /** The latest poll of the queue waits at the node that saves it. */
  isHeld: boolean;
}

export interface LookedUp {
  record: QueueRecord | null;
  /** On a miss, since when Redis has remembered; null when it has just lost everything. */
  sinceMs: number | null;
}

/**
 * The filters of all event queues, so that any node can serve any of them. Redis only carries them: nodes hold what
 * they serve, and write it back when Redis has lost it. Every method rejects when Redis is away.
 */
export interface Registry {
  save(queues: readonly SavedQueue[]): Promise<void>;
  find(queueId: string): Promise<QueueRecord | null>;
  /** Finds a queue, and tells how far a miss can be trusted. */
  lookUp(queueId: string): Promise<LookedUp>;
  /** Forgets a queue, on every node. */
  remove(queueId: string): Promise<void>;
  /** Forgets queues that have idled for too long. */
  expire(queueIds: readonly string[]): Promise<void>;
  /** Makes this node the holder of the queue's waiting poll, and tells the node that held it. */
  hold(queueId: string, nodeId: string, ttlSeconds: number): Promise<void>;
  /** Renews queues that this node serves. A queue that another node took stays taken. */
  renew(queues: readonly HeldQueue[], nodeId: string): Promise<void>;
  /** Since when Redis has remembered. Starts that time when it has just lost everything. */
  since(nowMs: number): Promise<number>;
}

const queuesPerPipeline = 500;

export function createRegistry(redis: Redis): Registry {
  const registry: Registry = {
    async save(queues) {
      await inPipelines(queues, (pipeline, { record, ttlSeconds }) => {
        pipeline.set(keys.queue(record.id), JSON.stringify(record), 'EX', ttlSeconds);
      });
    },
    find: async (queueId) => (await registry.lookUp(queueId)).record,
    async lookUp(queueId) {
      const record = parse(await redis.get(keys.queue(queueId)));
      // After the miss: a memory that is old now was old when it happened.
      const since = record ? null : await redis.get(keys.registrySince);
      return { record, sinceMs: since === null ? null : Number(since) };
    },
    async remove(queueId) {
      await redis.del(keys.queue(queueId), keys.queueHolder(queueId));
      await redis.publish(keys.queuesEnded, queueId);
    },
    async expire(queueIds) {
      await inPipelines(queueIds, (pipeline, id) => pipeline.del(keys.queue(id), keys.queueHolder(id)));
    },
    async hold(queueId, nodeId, ttlSeconds) {
      const before = await redis.set(keys.queueHolder(queueId), nodeId, 'EX', ttlSeconds, 'GET');
      if (before !== null && before !== nodeId) await redis.publish(keys.queuesTaken(before), queueId);
    },
    async renew(queues, nodeId) {
      await inPipelines(queues, (pipeline, { record, ttlSeconds, isHeld }) => {
        pipeline.set(keys.queue(record.id), JSON.stringify(record), 'EX', ttlSeconds);
        if (!isHeld) return;
        const holder = keys.queueHolder(record.id);
        pipeline.set(holder, nodeId, 'EX', ttlSeconds, 'NX').expire(holder, ttlSeconds);
      });
    },
    async since(nowMs) {
      const before = await redis.set(keys.registrySince, String(nowMs), 'NX', 'GET');
      return before === null ? nowMs : Number(before);
    },
  };

  async function inPipelines<Item>(
    items: readonly Item[],
    put: (pipeline: ChainableCommander, item: Item) => unknown,
  ): Promise<void> {
    for (let start = 0; start < items.length; start += queuesPerPipeline) {
      const pipeline = redis.pipeline();
      for (const item of items.slice(start, start + queuesPerPipeline)) put(pipeline, item);
      for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
    }
  }

  return registry;
}

function parse(json: string | null | undefined): QueueRecord | null {
  if (typeof json !== 'string') return null;
  const parsed = QueueRecord.safeParse(JSON.parse(json));
  return parsed.success ? parsed.data : null;
}
