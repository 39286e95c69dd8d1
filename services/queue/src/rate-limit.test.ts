import { expect, test } from 'vitest';

import { createRateLimiter } from './rate-limit.ts';

test('refuses a user over the limit until the window ends, and no one else', () => {
  const limiter = createRateLimiter({ windowSeconds: 60, requestsMax: 2 });
  const at = 600_000;
  limiter.count(1, at);
  limiter.count(1, at + 1000);
  expect(() => limiter.count(1, at + 15_000)).toThrow(
    expect.objectContaining({
      code: 'RATE_LIMIT_HIT',
      extra: { 'retry-after': 45 },
      headers: { 'Retry-After': '45' },
    }),
  );
  limiter.count(2, at + 15_000);
  limiter.count(1, at + 60_000);
});
