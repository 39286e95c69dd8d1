import { expect, test } from 'vitest';

import { RateLimitRules, createLocalRateLimiter } from './rate-limits.ts';

const hit = (seconds: number) =>
  expect.objectContaining({
    code: 'RATE_LIMIT_HIT',
    extra: { 'retry-after': seconds },
    headers: expect.objectContaining({
      'Retry-After': String(Math.ceil(seconds)),
      'X-RateLimit-Remaining': '0',
    }),
  });

function limiterAt(startMs: number, rules: string) {
  let nowMs = startMs;
  const limiter = createLocalRateLimiter(RateLimitRules.parse(rules), { nowMs: () => nowMs });
  return {
    take(key: number, atMs: number) {
      nowMs = atMs;
      limiter.take(key);
    },
  };
}

test('a local limiter refuses a key over the limit until the window ends, and no other key', () => {
  const at = 600_000;
  const limiter = limiterAt(at, '60:2');
  limiter.take(1, at);
  limiter.take(1, at + 1000);
  expect(() => limiter.take(1, at + 15_000)).toThrow(hit(45));
  limiter.take(2, at + 15_000);
  limiter.take(1, at + 60_000);
});

test('a local limiter keeps every one of its budgets', () => {
  const limiter = limiterAt(0, '1:2,60:3');
  limiter.take(1, 0);
  limiter.take(1, 0);
  expect(() => limiter.take(1, 500)).toThrow(hit(0.5));
  limiter.take(1, 1000);
  expect(() => limiter.take(1, 2000)).toThrow(hit(58));
});

test('a local limiter says what is left of the tightest budget', () => {
  let nowMs = 0;
  const limiter = createLocalRateLimiter(RateLimitRules.parse('1:2,60:3'), { nowMs: () => nowMs });
  limiter.take(1);
  expect(limiter.budget(1)).toEqual({ limit: 2, remaining: 1, resetMs: 1000 });
  limiter.take(1);
  nowMs = 1500;
  expect(limiter.budget(1)).toEqual({ limit: 3, remaining: 1, resetMs: 58_500 });
  expect(limiter.budget(2)).toEqual({ limit: 2, remaining: 2, resetMs: 500 });
});

test('a setting is read as its pairs, and anything else is named', () => {
  expect(RateLimitRules.parse('60:200, 3600:2000')).toEqual([
    { seconds: 60, count: 200 },
    { seconds: 3600, count: 2000 },
  ]);
  for (const text of ['', '60', '60:', '0:5', '5:0', '60:200,', '-1:2', '1.5:2', '1e3:2']) {
    expect(() => RateLimitRules.parse(text), text).toThrow('is not of the form seconds:count');
  }
});
