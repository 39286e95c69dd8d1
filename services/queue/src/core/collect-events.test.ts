import { ID_STEP } from '@parley/protocol';
import { expect, test } from 'vitest';

import { addToBatch, collectEvents, createEventBatch } from './collect-events.ts';
import { entryOf, noteOf, queueOf, readEntry, sets } from './fixtures.test-support.ts';

const queue = queueOf({ userId: 10 });
const notes = [1, 2, 3].map((seq) => readEntry.logged(noteOf(seq, [10])));
const bytesOfOne = '{"type":"note","n":1,"id":1000000}'.length;
const unlimited = { repliedEventsMax: 100, repliedBytesMax: 10_000 };

const idsOf = (limits: Partial<typeof unlimited>, log = notes) =>
  collectEvents(log, queue, -1, sets, { ...unlimited, ...limits }).lines.map(
    (line) => JSON.parse(line).id / ID_STEP,
  );

test('a reply carries as many events as it may', () => {
  expect(idsOf({})).toEqual([1, 2, 3]);
  expect(idsOf({ repliedEventsMax: 3 })).toEqual([1, 2, 3]);
  expect(idsOf({ repliedEventsMax: 2 })).toEqual([1, 2]);
});

test('a reply carries as many bytes as it may, and one event always', () => {
  expect(idsOf({ repliedBytesMax: 3 * bytesOfOne })).toEqual([1, 2, 3]);
  expect(idsOf({ repliedBytesMax: 3 * bytesOfOne - 1 })).toEqual([1, 2]);
  expect(idsOf({ repliedBytesMax: 1 })).toEqual([1]);
});

test('nothing is added to a full batch, however small', () => {
  const long = readEntry.logged(entryOf(2, {}, { type: 'bulk', ids: Array.from({ length: 9 }, () => 1) }));
  const [batch, limits] = [createEventBatch(), { ...unlimited, repliedBytesMax: 3 * bytesOfOne }];
  const [first, , third] = notes;
  if (!first || !third) throw new Error('There are three notes.');
  expect(addToBatch(batch, first, queue, -1, limits)).toBe(true);
  expect(addToBatch(batch, long, queue, -1, limits)).toBe(false);
  expect(batch.isFull).toBe(true);
  const { length } = batch.lines;
  expect(addToBatch(batch, third, queue, -1, limits)).toBe(false);
  expect(batch.lines).toHaveLength(length);
  expect(batch.bytes).toBe(batch.lines.join('').length);
});
