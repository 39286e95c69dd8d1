import { QueueRecord } from '@parley/protocol';
import { expect, test } from 'vitest';

import { bucketsFor, newQueueId } from './queue-id.ts';

test('the id of a queue begins with its realm and a bucket, and differs each time', () => {
  const ids = Array.from({ length: 400 }, () => newQueueId(71, 3));

  expect(new Set(ids).size).toBe(400);
  expect(new Set(ids.map((id) => id.replace(/-.*/, '')))).toEqual(new Set(['1z_0', '1z_1', '1z_2']));
  for (const id of ids) {
    expect(id).toMatch(/^1z_[012]-[\w-]{22}$/);
    expect(QueueRecord.shape.id.parse(id)).toBe(id);
  }
});

test('the longest id is no longer than a UUID', () => {
  expect(newQueueId(2 ** 31 - 1, 36 ** 3).length).toBeLessThanOrEqual(36);
});

test.each([
  [0, 2],
  [200, 2],
  [300, 3],
  [1000, 10],
  [10_000, 1000],
  [1_000_000, 46_656],
])('a realm of %i users has %i buckets', (users, buckets) => {
  expect(bucketsFor(users)).toBe(buckets);
});
