import { type RateLimitRule, type Redis, createSharedRateLimiter } from '@parley/redis';

/** Bounds guessing at passwords. */
export interface LoginLimiter {
  /** Counts an attempt; refuses with RATE_LIMIT_HIT after too many. */
  attempt(username: string): Promise<void>;
  /** A success clears the count. */
  forget(username: string): Promise<void>;
}

export function createLoginLimit(redis: Redis, rules: RateLimitRule[]): (realmId: number) => LoginLimiter {
  const limiter = createSharedRateLimiter(redis, 'login', rules);
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
