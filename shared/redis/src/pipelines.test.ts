import { Redis } from 'ioredis';
import { expect, test } from 'vitest';

test('a pipeline has no property that only it has: its hidden class would keep it in memory', () => {
  const redis = new Redis({ lazyConnect: true });
  const pipeline = redis.pipeline().get('a').get('b');
  expect(Object.hasOwn(pipeline, 'length')).toBe(false);
  expect(pipeline).toHaveLength(2);
  redis.disconnect();
});
