import { ApiError } from '@parley/protocol';
import type { SharedRateLimiter } from '@parley/redis';
import { expect, test, vi } from 'vitest';

import { createPasswordGuesses } from './account-limits.ts';

/** A limiter that refuses with an error. */
function refusing(error: unknown): SharedRateLimiter {
  const take = vi.fn(async () => {
    throw error;
  });
  // Safe: nothing else of it is used.
  return { take } as unknown as SharedRateLimiter;
}

const guess = (limiter: SharedRateLimiter) => createPasswordGuesses(limiter).limit({ id: 1 }, vi.fn());

test('too many guesses say when to come back', async () => {
  const hit = new ApiError('RATE_LIMIT_HIT', 'Too many', { 'retry-after': 61.2 });
  await expect(guess(refusing(hit))).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'Too many attempts. Try again in 62 seconds.',
  });
});

test('what else goes wrong is said as it is', async () => {
  for (const error of [new Error('bug'), new ApiError('BAD_REQUEST', 'something else')]) {
    await expect(guess(refusing(error))).rejects.toBe(error);
  }
});
