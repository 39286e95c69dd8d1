import { expect, onTestFinished, test, vi } from 'vitest';

import { queueOf } from '../core/fixtures.test-support.ts';
import { minuteMs, openNode, wait } from './open-node.test-support.ts';

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
  time.nowMs += 2 * minuteMs;
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
  expect([live.queue.provenTo, live.queue.provenTerm], 'what the other one handed out').toEqual([6, 'c']);
});

test('a queue outlives its idle time in the registry by the time between renewals, and by the longest that a poll waits, twice', async () => {
  const { queues, state, time, settled } = openNode('a');
  await wait(queues, 'a');
  time.nowMs += 2 * minuteMs;
  await queues.renew();
  await settled();
  expect(state.ttls).toEqual([840, 840]);
});

test('the registry is told what the client has acknowledged, and another node goes on from there', async () => {
  const { queues, state, time, settled } = openNode('a');
  const live = await wait(queues, 'a');
  live.acknowledged = 17;
  time.nowMs += 2 * minuteMs;
  await queues.renew();
  await settled();
  expect(state.records.get('a')).toMatchObject({ acknowledged: 17 });
  queues.forget('a');
  expect(await queues.get('a')).toMatchObject({ acknowledged: 17 });
});

test('a queue that was polled is written to the registry about every two minutes, and no other', async () => {
  const { queues, state, time } = openNode('polled', 'quiet');
  const live = await wait(queues, 'polled');
  await queues.get('quiet');
  state.records.clear();
  time.nowMs += 2 * minuteMs - 1;
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
  time.nowMs += 2 * minuteMs;
  await queues.renew();
  expect(state.renewed).toHaveLength(2);
});

test('queues whose turn has not come are not looked at', async () => {
  const { queues, state, time, settled } = openNode('a', 'b', 'c');
  for (const id of ['a', 'b', 'c']) {
    await wait(queues, id);
    time.nowMs += minuteMs;
  }
  await settled();
  time.looks = 0;
  await queues.renew();
  await settled();
  // The first two are two minutes old and more.
  expect([state.renewed.length, time.looks]).toEqual([2, 2]);
});

test('what could not be written to the registry is written as soon as that is possible', async () => {
  const { queues, state, time } = openNode('a', 'ended');
  for (const id of ['a', 'ended']) await wait(queues, id);
  state.records.clear();
  time.nowMs += 2 * minuteMs;
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
  time.nowMs += 2 * minuteMs;
  await queues.renew();
  queues.restoreAll();
  await queues.renew();
  expect([...state.records.keys()]).toEqual([]);
});

test('a poll that ends after its queue was forgotten does not have it written again', async () => {
  const { queues, state, time } = openNode('a');
  const live = await wait(queues, 'a');
  time.nowMs += 2 * minuteMs;
  await queues.renew();
  expect([live.isTouched, live.isForgotten]).toEqual([false, false]);
  queues.forget('a');
  expect(live.isForgotten).toBe(true);
  state.records.clear();
  queues.touch(live);
  time.nowMs += 2 * minuteMs;
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

test('a node that ends says how far it has served a queue, though the registry is away at first', async () => {
  const { queues, state, time, settled } = openNode('a');
  await wait(queues, 'a');
  time.position = { seq: 7, term: 'b' };
  state.isAway = true;
  const finishing = queues.finish();
  await settled();
  expect(state.records.get('a')?.position).toBeUndefined();
  state.isAway = false;
  await finishing;
  expect(state.records.get('a')?.position).toEqual({ seq: 7, term: 'b' });
});

test('a node that ends while Redis is away says how many queues may be lost with it', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { queues, state, time, logger } = openNode('a', 'b');
  const warn = vi.spyOn(logger, 'warn');
  time.position = { seq: 7, term: 'b' };
  for (const id of ['a', 'b']) queues.touch(await queues.get(id));
  state.isAway = true;
  const finishing = queues.finish();
  await vi.runAllTimersAsync();
  await finishing;
  expect(warn.mock.calls).toEqual([[{ queues: 2 }, expect.stringContaining('register again')]]);
});
