import { createLogger } from '@parley/kit';
import type { QueueRecord } from '@parley/protocol';
import type { Registry, RenewedQueue } from '@parley/redis';

import { queueOf } from '../core/fixtures.test-support.ts';
import { type Queues, createQueues } from './queues.ts';

export const minuteMs = 60_000;

/** A registry in memory, which can be away and can lose its data. */
function openRegistry(...ids: string[]) {
  const records = new Map<string, QueueRecord>();
  for (const id of ids) records.set(id, queueOf({ id, userId: 10, idleSeconds: 600 }));
  const state = {
    records,
    isAway: false,
    /** Since when it has kept its data; null when it has just lost everything. */
    markerMs: 0 as number | null,
    lookups: 0,
    holders: [] as string[],
    renewed: [] as Pick<RenewedQueue, 'isHolder'>[],
    /** Whether the node vouched for the queues that it wrote. */
    vouchedFor: [] as boolean[],
    /** For how long queues were written, in seconds. */
    ttls: [] as number[],
    expired: [] as string[],
    lose() {
      records.clear();
      state.markerMs = null;
    },
  };
  async function answer(): Promise<void> {
    await Promise.resolve();
    if (state.isAway) throw new Error('Redis is away.');
  }
  const registry: Registry = {
    async add({ record }) {
      await answer();
      records.set(record.id, record);
    },
    async lookUp(queueId) {
      state.lookups += 1;
      const found = { record: records.get(queueId) ?? null, dataLossMarkerMs: state.markerMs };
      await answer();
      return found;
    },
    async remove({ id }) {
      await answer();
      records.delete(id);
    },
    async expire(queues) {
      await answer();
      for (const { id } of queues) {
        records.delete(id);
        state.expired.push(id);
      }
    },
    async setHolder(queueId, _nodeId, ttlSeconds) {
      await answer();
      state.ttls.push(ttlSeconds);
      state.holders.push(queueId);
    },
    async renew(queues) {
      await answer();
      const left: QueueRecord[] = [];
      for (const { record, ttlSeconds, isHolder, isVouchedFor, knownTerm } of queues) {
        state.vouchedFor.push(isVouchedFor);
        state.ttls.push(ttlSeconds);
        state.renewed.push({ isHolder });
        const standing = records.get(record.id);
        if ([knownTerm, record.position?.term].includes(standing?.position?.term ?? knownTerm))
          records.set(record.id, record);
        else if (standing) left.push(standing);
      }
      return left;
    },
    async dataLossMarker(nowMs) {
      await answer();
      state.markerMs ??= nowMs;
      return state.markerMs;
    },
  };
  return { registry, state };
}

/** A node whose registry has these queues, and a clock that stands until it is set. */
export function openNode(...ids: string[]) {
  const { registry, state } = openRegistry(...ids);
  const time = {
    nowMs: 1000 * minuteMs,
    readTo: 0,
    position: undefined as { seq: number; term: string } | undefined,
    /** How often it was asked how far the node has read the log of a queue. */
    looks: 0,
  };
  const logger = createLogger({ role: 'test', level: 'silent' });
  const queues = createQueues({
    registry,
    clock: { nowMs: () => time.nowMs },
    logger,
    nodeId: 'here',
    positions: {
      of() {
        time.looks += 1;
        return time.position;
      },
      includes: (_, { seq }) => Promise.resolve(seq <= time.readTo),
    },
  });
  /** Turns of the microtask queue, so that what was written is there. */
  const settled = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return { queues, state, time, settled, logger };
}

/** A poll of the queue waits here, and the registry knows. */
export async function wait(queues: Queues, id: string) {
  const live = await queues.get(id);
  queues.touch(live);
  queues.becomeHolder(live);
  return live;
}
