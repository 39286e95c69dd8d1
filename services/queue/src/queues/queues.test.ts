import { createLogger } from '@parley/kit';
import type { QueueRecord } from '@parley/protocol';
import type { Registry, RenewedQueue } from '@parley/redis';
import { expect, test, vi } from 'vitest';

import { queueOf } from '../core/fixtures.test-support.ts';
import { heapBytes } from '../heap.test-support.ts';
import { type Queues, createQueues } from './queues.ts';

const minuteMs = 60_000;

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

const idle = () => false;

/** A node whose registry has these queues, and a clock that stands until it is set. */
function openNode(...ids: string[]) {
  const { registry, state } = openRegistry(...ids);
  const time = {
    nowMs: 1000 * minuteMs,
    readTo: 0,
    position: undefined as { seq: number; term: string } | undefined,
  };
  const logger = createLogger({ role: 'test', level: 'silent' });
  const queues = createQueues({
    registry,
    clock: { nowMs: () => time.nowMs },
    logger,
    nodeId: 'here',
    positions: {
      of: () => time.position,
      includes: (_, { seq }) => Promise.resolve(seq <= time.readTo),
    },
  });
  /** Turns of the microtask queue, so that what was written is there. */
  const settled = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return { queues, state, time, settled };
}

/** A poll of the queue waits here, and the registry knows. */
async function wait(queues: Queues, id: string) {
  const live = await queues.get(id);
  queues.touch(live);
  queues.becomeHolder(live);
  return live;
}

test('a queue is looked up once, however many polls ask at the same moment', async () => {
  const { queues, state } = openNode('a');
  const [one, other] = await Promise.all([queues.get('a'), queues.get('a')]);
  expect(other).toBe(one);
  expect(await queues.get('a')).toBe(one);
  expect(queues.find('a')).toBe(one);
  expect(state.lookups).toBe(1);
});

test('a queue is known by an id of its own, not by a part of the request that named it', async () => {
  const ids = Array.from({ length: 1000 }, (_, index) => `a-queue-of-a-usual-length-${index}`);
  const { queues } = openNode(...ids);
  const before = heapBytes();
  for (const id of ids)
    await queues.get(Buffer.from(id.padEnd(10_000)).toString('latin1').slice(0, id.length));
  expect(heapBytes() - before).toBeLessThan(ids.length * 2000);
});

test('a queue that is served in a term of which the registry does not know is written at once', async () => {
  const { queues, state, time, settled } = openNode('a');
  const live = await wait(queues, 'a');
  time.position = { seq: 7, term: 'b' };
  queues.touch(live);
  await new Promise((resolve) => setImmediate(resolve));
  await settled();
  expect(live.queue.position).toEqual({ seq: 7, term: 'b' });
  const written = state.ttls.length;
  time.position = { seq: 9, term: 'b' };
  queues.touch(live);
  await new Promise((resolve) => setImmediate(resolve));
  await settled();
  expect([state.ttls.length, live.queue.position?.seq]).toEqual([written, 7]);
});

/** A queue that this node serves in a term, after another node has written a position of another term. */
async function writtenMeanwhile(readTo: number) {
  const { queues, state, time, settled } = openNode('a');
  const live = await wait(queues, 'a');
  time.position = { seq: 7, term: 'b' };
  await queues.renew();
  const history = {};
  live.queue.provenIn = history;
  time.readTo = readTo;
  const position = { seq: 6, term: 'c' };
  state.records.set('a', { ...queueOf({ id: 'a', userId: 10 }), position });
  queues.touch(live);
  time.nowMs += minuteMs;
  await queues.renew();
  await settled();
  await new Promise((resolve) => setImmediate(resolve));
  await settled();
  return { stands: state.records.get('a')?.position, position, live, history };
}

test('what another node has written in another term is left, and is to be proved here', async () => {
  const { stands, position, live } = await writtenMeanwhile(5);
  expect([stands, live.queue.position, live.queue.provenIn]).toEqual([position, position, null]);
});

test('a node that has read on from what another one has written says so', async () => {
  const { stands, live, history } = await writtenMeanwhile(7);
  expect([stands?.seq, live.queue.position?.seq]).toEqual([7, 7]);
  expect(live.queue.provenIn).toBe(history);
});

test('a queue outlives its idle time in the registry by the longest that a poll waits, twice', async () => {
  const { queues, state, time, settled } = openNode('a');
  await wait(queues, 'a');
  time.nowMs += minuteMs;
  await queues.renew();
  await settled();
  expect(state.ttls).toEqual([720, 720]);
});

test('the registry is told what the client has acknowledged, and another node goes on from there', async () => {
  const { queues, state, time, settled } = openNode('a');
  const live = await wait(queues, 'a');
  live.acknowledged = 17;
  time.nowMs += minuteMs;
  await queues.renew();
  await settled();
  expect(state.records.get('a')).toMatchObject({ acknowledged: 17 });
  queues.forget('a');
  expect(await queues.get('a')).toMatchObject({ acknowledged: 17 });
});

test('what is said of a queue that is not here changes nothing', () => {
  const { queues } = openNode();
  queues.loseHolder('a');
  queues.forget('a');
  expect(queues.find('a')).toBeUndefined();
});

test('a queue that idles is forgotten after its time, here and in the registry', async () => {
  const { queues, state, time, settled } = openNode('a');
  await wait(queues, 'a');
  time.nowMs += 600_000 - 1;
  expect(queues.sweep(idle)).toEqual(new Set([1]));
  expect(queues.find('a')).toBeDefined();
  time.nowMs += 1;
  expect(queues.sweep(idle)).toEqual(new Set());
  expect(queues.find('a')).toBeUndefined();
  await settled();
  expect([...state.records.keys()]).toEqual([]);
  expect(state.expired).toEqual(['a']);
});

test('a queue whose poll waits does not idle, however long it waits', async () => {
  const { queues, state, time, settled } = openNode('waiting', 'left');
  for (const id of ['waiting', 'left']) await wait(queues, id);
  time.nowMs += 60 * minuteMs;
  expect(queues.sweep((id) => id === 'waiting')).toEqual(new Set([1]));
  expect(queues.find('waiting')).toBeDefined();
  expect(queues.find('left')).toBeUndefined();
  await settled();
  expect([...state.records.keys()]).toEqual(['waiting']);
});

test('a poll that begins or ends starts the idle time anew', async () => {
  const { queues, time } = openNode('a');
  const live = await wait(queues, 'a');
  time.nowMs += 9 * minuteMs;
  queues.touch(live);
  time.nowMs += 9 * minuteMs;
  queues.sweep(idle);
  expect(queues.find('a')).toBe(live);
});

test('a queue whose poll waits at another node is forgotten here and lives on there', async () => {
  const { queues, state, time, settled } = openNode('moved', 'never-held');
  await wait(queues, 'moved');
  queues.loseHolder('moved');
  await queues.get('never-held');
  time.nowMs += 60 * minuteMs;
  queues.sweep(idle);
  await settled();
  expect([queues.find('moved'), queues.find('never-held')]).toEqual([undefined, undefined]);
  expect([...state.records.keys()]).toEqual(['moved', 'never-held']);
});

test('the registry is told who holds a queue once, and again when it was away or the queue was elsewhere', async () => {
  const { queues, state, settled } = openNode('a');
  const live = await queues.get('a');
  state.isAway = true;
  queues.becomeHolder(live);
  await settled();
  expect([live.isHolder, state.holders]).toEqual([false, []]);
  state.isAway = false;
  queues.becomeHolder(live);
  queues.becomeHolder(live);
  await settled();
  expect([live.isHolder, state.holders]).toEqual([true, ['a']]);
  queues.loseHolder('a');
  queues.becomeHolder(live);
  await settled();
  expect(state.holders).toEqual(['a', 'a']);
});

test('a queue that was polled is written to the registry about every 30 seconds, and no other', async () => {
  const { queues, state, time } = openNode('polled', 'quiet');
  const live = await wait(queues, 'polled');
  await queues.get('quiet');
  state.records.clear();
  time.nowMs += 29_999;
  await queues.renew();
  expect([...state.records.keys()]).toEqual([]);
  time.nowMs += 1;
  await queues.renew();
  expect([...state.records.keys()]).toEqual(['polled']);
  expect(state.renewed).toEqual([{ isHolder: true }]);
  queues.touch(live);
  queues.touch(live);
  await queues.renew();
  expect(state.renewed).toHaveLength(1);
  time.nowMs += 30_000;
  await queues.renew();
  expect(state.renewed).toHaveLength(2);
});

test('what could not be written to the registry is written as soon as that is possible', async () => {
  const { queues, state, time } = openNode('a', 'ended');
  for (const id of ['a', 'ended']) await wait(queues, id);
  state.records.clear();
  time.nowMs += 30_000;
  state.isAway = true;
  const renewing = queues.renew();
  queues.forget('ended');
  await renewing;
  state.isAway = false;
  await queues.renew();
  expect([...state.records.keys()], 'and not what was forgotten meanwhile').toEqual(['a']);
});

test('a queue that was ended or forgotten is not written again', async () => {
  const { queues, state, time } = openNode('ended', 'forgotten');
  const ended = await wait(queues, 'ended');
  await wait(queues, 'forgotten');
  await queues.end(ended.queue);
  queues.forget('forgotten');
  expect([...state.records.keys()]).toEqual(['forgotten']);
  state.records.clear();
  time.nowMs += minuteMs;
  await queues.renew();
  queues.restoreAll();
  await queues.renew();
  expect([...state.records.keys()]).toEqual([]);
});

test('a poll that ends after its queue was forgotten does not have it written again', async () => {
  const { queues, state, time } = openNode('a');
  const live = await wait(queues, 'a');
  time.nowMs += minuteMs;
  await queues.renew();
  expect([live.isTouched, live.isForgotten]).toEqual([false, false]);
  queues.forget('a');
  expect(live.isForgotten).toBe(true);
  state.records.clear();
  queues.touch(live);
  time.nowMs += minuteMs;
  await queues.renew();
  expect([...state.records.keys()]).toEqual([]);
});

test('every queue is written back when the registry has lost its data, polled or not', async () => {
  const { queues, state, settled } = openNode('a', 'b');
  await wait(queues, 'a');
  await queues.get('b');
  await queues.detectDataLoss();
  await queues.detectDataLoss();
  await settled();
  expect(state.renewed, 'nothing was lost').toEqual([]);
  state.lose();
  await queues.detectDataLoss();
  await settled();
  expect([...state.records.keys()]).toEqual(['a', 'b']);
  expect(state.renewed).toEqual([{ isHolder: true }, { isHolder: false }]);
});

test('a node vouches for a queue that it writes back once its cursors are proved', async () => {
  const { queues, state, time, settled } = openNode('a');
  await queues.get('a');
  queues.restoreAll();
  await settled();
  time.position = { seq: 7, term: 'b' };
  queues.restoreAll();
  await settled();
  expect(state.vouchedFor).toEqual([false, true]);
});

test('a queue that nobody knows is refused at once where the registry has kept its data', async () => {
  const { queues, state, time } = openNode();
  await expect(queues.get('a')).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  expect(state.lookups).toBe(1);
  await expect(queues.get('a'), 'and asked for again the next time').rejects.toThrow('a');
  expect(state.lookups).toBe(2);
  await expect(queues.get('a'.repeat(201)), 'and an id too long to be one is not').rejects.toThrow('aaa');
  expect(state.lookups).toBe(2);
  await expect(queues.get('a'.repeat(200)), 'and one that is not too long is').rejects.toThrow('aaa');
  expect(state.lookups).toBe(3);
  state.markerMs = time.nowMs - 10_000;
  await expect(queues.get('b')).rejects.toThrow('b');
  expect(state.lookups, 'after ten seconds it has').toBe(4);
});

test.each([
  ['has just lost its data', null],
  ['has lost its data a moment ago', 1000 * minuteMs - 9999],
])('a queue that a registry does not know which %s is waited for', async (_, markerMs) => {
  const { queues, state } = openNode();
  state.markerMs = markerMs;
  const found = queues.get('a');
  await vi.waitUntil(() => state.lookups > 0, { timeout: 60_000 });
  state.records.set('a', queueOf({ id: 'a', userId: 10 }));
  expect((await found).queue.id).toBe('a');
});

test.each([
  ['is not there after three seconds', false, { code: 'BAD_EVENT_QUEUE_ID' }],
  ['cannot be looked up for three seconds', true, { code: 'SERVER_NOT_READY', reason: 'redis' }],
])('a queue that %s is refused', async (_, isAway, refusal) => {
  const { queues, state, time } = openNode();
  Object.assign(state, { markerMs: null, isAway });
  const refused = expect(queues.get('a')).rejects.toMatchObject(refusal);
  await vi.waitUntil(() => state.lookups > 0, { timeout: 60_000 });
  time.nowMs += 3000;
  await refused;
});
