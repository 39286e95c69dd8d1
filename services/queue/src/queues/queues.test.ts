import { expect, test, vi } from 'vitest';

import { queueOf } from '../core/fixtures.test-support.ts';
import { heapBytes } from '../heap.test-support.ts';
import { minuteMs, openNode, wait } from './open-node.test-support.ts';

const idle = () => false;

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
