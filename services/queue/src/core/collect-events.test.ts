import { expect, test } from 'vitest';

import { addToBatch, collectEvents, createEventBatch } from './collect-events.ts';
import { bulkOf, entryOf, noteOf, queueOf, readEntry, sets } from './fixtures.test-support.ts';

const queue = queueOf({ userId: 10 });
const notes = [1, 2, 3].map((seq) => readEntry.logged(noteOf(seq, [10])));
const bytesOfAll = [
  '{"type":"note","n":1,"id":5}',
  '{"type":"note","n":2,"id":13}',
  '{"type":"note","n":3,"id":21}',
].join('').length;
const unlimited = { repliedEventsMax: 100, repliedBytesMax: 10_000 };

const idsOf = (limits: Partial<typeof unlimited>, log = notes) =>
  collectEvents(log, queue, -1, sets, { ...unlimited, ...limits }).lines.map((line) => JSON.parse(line).n);

test('a reply carries as many events as it may', () => {
  expect(idsOf({})).toEqual([1, 2, 3]);
  expect(idsOf({ repliedEventsMax: 3 })).toEqual([1, 2, 3]);
  expect(idsOf({ repliedEventsMax: 2 })).toEqual([1, 2]);
});

test('a reply carries as many bytes as it may, and one event always', () => {
  expect(idsOf({ repliedBytesMax: bytesOfAll })).toEqual([1, 2, 3]);
  expect(idsOf({ repliedBytesMax: bytesOfAll - 1 })).toEqual([1, 2]);
  expect(idsOf({ repliedBytesMax: 1 })).toEqual([1]);
});

test('nothing is added to a full batch, however small', () => {
  const [long] = bulkOf(
    1,
    {},
    Array.from({ length: 9 }, () => 1),
  )
    .slice(-1)
    .map(readEntry.logged);
  const [batch, limits] = [createEventBatch(), { ...unlimited, repliedBytesMax: bytesOfAll }];
  const [first, , third] = notes;
  if (!first || !long || !third) throw new Error('There are three notes.');
  expect(addToBatch(batch, first, queue, -1, limits)).toBe(true);
  expect(addToBatch(batch, long, queue, -1, limits)).toBe(false);
  expect(batch.isFull).toBe(true);
  const { length } = batch.lines;
  expect(addToBatch(batch, third, queue, -1, limits)).toBe(false);
  expect(batch.lines).toHaveLength(length);
  expect(batch.bytes).toBe(batch.lines.join('').length);
});

test('many events of an entry have ids of the entries before it, from any cursor among them', () => {
  const ids = Array.from({ length: 20 }, (_, index) => index);
  const log = bulkOf(1, {}, ids).map(readEntry.logged);
  const heard = (after: number) =>
    collectEvents(log, queue, after, sets, unlimited).lines.map((line) => JSON.parse(line));
  const all = heard(-1);
  expect(all.map(({ id_alone }) => id_alone)).toEqual(ids);
  expect(all.map(({ id }) => id)).toEqual(ids.map((index) => log.length * 8 - 1 - index).toReversed());
  for (const [index, { id }] of all.entries()) expect(heard(id)).toEqual(all.slice(index + 1));
});

test('an entry without ids for its many events cannot be served', () => {
  const entry = (rooms: number) => ({ ...entryOf(4, {}, { type: 'bulk', ids: [1, 2, 3, 4] }), rooms });
  const collect = (rooms: number) =>
    collectEvents([readEntry.logged(entry(rooms))], queue, -1, sets, unlimited);
  expect(collect(1).lines).toHaveLength(4);
  expect(() => collect(0)).toThrow('There is no event queue');
});
