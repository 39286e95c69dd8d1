import { readFileSync } from 'node:fs';

import type { Clock } from '@parley/kit';
import { type IdForm, QueueRecord, queueTimes } from '@parley/protocol';
import type { Redis } from 'ioredis';

import { mastersOf } from './client.ts';
import { keys } from './keys.ts';
import { rateLimitHit } from './rate-limits.ts';
import type { Signer } from './signer.ts';

/**
 * The filters of all event queues, so that any node can serve any of them. Redis only carries them: nodes keep the
 * queues that they serve in memory, and restore them when Redis has lost its data. Records are signed, so that nobody
 * who can write to Redis makes a queue of somebody else's events. Every method rejects when Redis is away.
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
  /** Deletes queues that have idled for too long, if this node is still the holder of their last poll. */
  expire(queues: readonly QueueKey[], nodeId: string): Promise<void>;
  /** Makes this node the holder of the queue's waiting poll, and notifies the node that was. */
  setHolder(queueId: string, nodeId: string, ttlSeconds: number): Promise<void>;
  /**
   * Renews queues that this node serves. A queue that has another holder keeps it, and one that the node does not vouch for
   * keeps the record that another node may have written meanwhile: its position may be a later one. So does one that another
   * node has served in a term of which this one does not know. Returns the records of those.
   */
  renew(queues: readonly RenewedQueue[], nodeId: string): Promise<QueueRecord[]>;
  /**
   * The time since which Redis has kept its data, in milliseconds: `nowMs` when it has just lost any of it, as it may
   * when a server takes another's place.
   */
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
  /** The node has proved its cursors to be of the record's position. Else it only restores what is missing. */
  isVouchedFor: boolean;
  /** The term of the record that the node knows; empty if it knows of none. */
  knownTerm: string;
}

interface LookedUpQueue {
  record: QueueRecord | null;
  /** On a miss, the time since which Redis has kept its data; null when it has just lost everything. */
  dataLossMarkerMs: number | null;
}

const queuesAtOnce = 500;
/**
 * What the signatures of records are for. Nodes of versions before 0.9 know one of them: queues whose ids they cannot
 * count are none for them.
 */
const scopes: Readonly<Record<IdForm, string>> = { wide: 'queue', dense: 'queue with dense ids' };

interface Scripted {
  countQueue(
    key: string,
    nowMs: number,
    queueId: string,
    endsMs: number,
    queuesMax: number,
    keptSeconds: number,
  ): Promise<number>;
  renewQueue(
    key: string,
    signed: string,
    ttlSeconds: number,
    knownTerm: string,
    term: string,
  ): Promise<string | null>;
}

const readScript = (name: string) => readFileSync(new URL(`../scripts/${name}.lua`, import.meta.url), 'utf8');
const scripts = { countQueue: readScript('count-queue'), renewQueue: readScript('renew-queue') };

/** Safe: the methods have just been defined, with the keys and arguments that the scripts' headers list. */
function defineScripts(redis: Redis): Scripted {
  redis.defineCommand('countQueue', { numberOfKeys: 1, lua: scripts.countQueue });
  redis.defineCommand('renewQueue', { numberOfKeys: 1, lua: scripts.renewQueue });
  return redis as unknown as Scripted;
}

export const createRegistry = (redis: Redis, signer: Signer, clock: Clock): Registry =>
  new RedisRegistry(redis, signer, clock);

class RedisRegistry implements Registry {
  private readonly redis: Redis;
  private readonly scripted: Scripted;
  private readonly signer: Signer;
  private readonly clock: Clock;

  constructor(redis: Redis, signer: Signer, clock: Clock) {
    this.redis = redis;
    this.scripted = defineScripts(redis);
    this.signer = signer;
    this.clock = clock;
  }

  async add({ record, ttlSeconds }: SavedQueue, queuesMax: number): Promise<void> {
    const nowMs = this.clock.nowMs();
    const firstEndsMs = await this.scripted.countQueue(
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
    await this.redis.set(keys.queue(record.id), this.sign(record), 'EX', ttlSeconds);
  }

  async lookUp(queueId: string): Promise<LookedUpQueue> {
    const record = parseRecord(this.signer, queueId, await this.redis.get(keys.queue(queueId)));
    // Read after the miss: what is known for long now was known when the miss happened.
    return { record, dataLossMarkerMs: record ? null : await this.knownSince(await readRuns(this.redis)) };
  }

  async remove({ id, userId }: QueueKey): Promise<void> {
    await this.redis.del(keys.queue(id), keys.queueHolder(id));
    await this.redis.zrem(keys.queuesOf(userId), id);
    await this.redis.publish(keys.queuesEnded, id);
  }

  async expire(queues: readonly QueueKey[], nodeId: string): Promise<void> {
    await forAll(queues, (queue) => [this.expireOne(queue, nodeId)]);
  }

  /** A node that was not told that another one has the queue now must not take it away from there. */
  private async expireOne({ id, userId }: QueueKey, nodeId: string): Promise<void> {
    if ((await this.redis.get(keys.queueHolder(id))) !== nodeId) return;
    await Promise.all([
      this.redis.del(keys.queue(id), keys.queueHolder(id)),
      this.redis.zrem(keys.queuesOf(userId), id),
    ]);
  }

  async setHolder(queueId: string, nodeId: string, ttlSeconds: number): Promise<void> {
    const before = await this.redis.set(keys.queueHolder(queueId), nodeId, 'EX', ttlSeconds, 'GET');
    if (before !== null && before !== nodeId) await this.redis.publish(keys.queuesTaken(before), queueId);
  }

  async renew(queues: readonly RenewedQueue[], nodeId: string): Promise<QueueRecord[]> {
    const left: QueueRecord[] = [];
    await forAll(queues, ({ record, ttlSeconds, isHolder, isVouchedFor, knownTerm }) => {
      const [key, signed] = [keys.queue(record.id), this.sign(record)];
      const term = record.position?.term ?? '';
      const written = isVouchedFor
        ? [
            this.scripted.renewQueue(key, signed, ttlSeconds, knownTerm, term).then((stored) => {
              const standing = parseRecord(this.signer, record.id, stored);
              if (standing) left.push(standing);
            }),
          ]
        : [this.redis.set(key, signed, 'EX', ttlSeconds, 'NX'), this.redis.expire(key, ttlSeconds)];
      const saved = [...written, ...this.countQueue(record, ttlSeconds)];
      return isHolder ? [...saved, this.keepHolder(record.id, nodeId, ttlSeconds)] : saved;
    });
    return left;
  }

  async dataLossMarker(nowMs: number): Promise<number> {
    const runs = await readRuns(this.redis);
    await Promise.all(runs.map((run) => this.redis.hsetnx(keys.runs, run, nowMs)));
    return (await this.knownSince(runs)) ?? nowMs;
  }

  private sign(record: QueueRecord): string {
    return this.signer.sign(scopes[record.idForm], JSON.stringify(record));
  }

  private countQueue({ id, userId }: QueueRecord, ttlSeconds: number): Promise<unknown>[] {
    const ofUser = keys.queuesOf(userId);
    return [
      this.redis.zadd(ofUser, this.clock.nowMs() + ttlSeconds * 1000, id),
      // A queue with a shorter life must not end the list of one with a longer life.
      this.redis.expire(ofUser, queueTimes.idleSecondsMax),
    ];
  }

  private async keepHolder(queueId: string, nodeId: string, ttlSeconds: number): Promise<void> {
    const holder = keys.queueHolder(queueId);
    const isThere = await this.redis.expire(holder, ttlSeconds);
    if (!isThere) await this.redis.set(holder, nodeId, 'EX', ttlSeconds, 'NX');
  }

  /** The latest of the times since which the present runs of the servers are known; null if one is not known. */
  private async knownSince(runs: readonly string[]): Promise<number | null> {
    const since = await this.redis.hmget(keys.runs, ...runs);
    return since.includes(null) ? null : Math.max(...since.map(Number));
  }
}

/** Commands that are given in one turn travel together, to each server those of its keys. */
async function forAll<Item>(
  items: readonly Item[],
  command: (item: Item) => Promise<unknown>[],
): Promise<void> {
  for (let start = 0; start < items.length; start += queuesAtOnce) {
    await Promise.all(items.slice(start, start + queuesAtOnce).flatMap(command));
  }
}

/** The ids of the present runs of the servers that have the data: a server gets another whenever it starts. */
async function readRuns(redis: Redis): Promise<string[]> {
  return await Promise.all(
    mastersOf(redis).map(
      async (server) => /^run_id:(\w+)/m.exec(await server.info('server'))?.[1] ?? 'unknown',
    ),
  );
}

/** Returns the record of a queue, as it stands in Redis; null for one that is not there, or is not signed. */
export function parseRecord(signer: Signer, queueId: string, signed: string | null): QueueRecord | null {
  if (signed === null) return null;
  for (const [idForm, scope] of Object.entries(scopes)) {
    const json = signer.verify(scope, signed);
    const parsed = json === null ? undefined : QueueRecord.safeParse(JSON.parse(json));
    if (parsed?.success && parsed.data.id === queueId && parsed.data.idForm === idForm) return parsed.data;
  }
  return null;
}
