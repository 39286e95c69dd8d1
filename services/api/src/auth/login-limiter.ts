import type { Clock } from '@parley/kit';
import { type RateLimitRule, type Redis, createSharedRateLimiter } from '@parley/redis';

/** Limits how often somebody can guess the password of a username. */
export interface LoginLimiter {
  /**
   * Counts an attempt.
   * @throws RATE_LIMIT_HIT after too many
   */
  attempt(username: string): Promise<void>;
  /** Clears the count, after a successful attempt. */
  forget(username: string): Promise<void>;
}

export function createLoginLimiters(
  redis: Redis,
  rules: RateLimitRule[],
  clock: Clock,
): (realmId: number) => LoginLimiter {
  const limiter = createSharedRateLimiter(redis, 'login', rules, clock);
  return (realmId) => {
    const key = (username: string) => `${realmId}:${username.toLowerCase()}`;
    return {
      async attempt(username) {
        await limiter.take(key(username));
      },
      forget: (username) => limiter.forget(key(username)),
    };
  };
}
