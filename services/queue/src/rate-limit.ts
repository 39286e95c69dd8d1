import { ApiError } from '@parley/protocol';

export interface RateLimit {
  windowSeconds: number;
  requestsMax: number;
}

export interface RateLimiter {
  /** Counts one request of the user, and refuses it over the limit. */
  count(userId: number, nowMs: number): void;
}

/** One window for everybody: when it ends, all counts do. */
export function createRateLimiter({ windowSeconds, requestsMax }: RateLimit): RateLimiter {
  const windowMs = windowSeconds * 1000;
  const counts = new Map<number, number>();
  let current = 0;
  return {
    count(userId, nowMs) {
      const window = Math.floor(nowMs / windowMs);
      if (window !== current) {
        counts.clear();
        current = window;
      }
      const count = (counts.get(userId) ?? 0) + 1;
      counts.set(userId, count);
      if (count <= requestsMax) return;
      const seconds = ((window + 1) * windowMs - nowMs) / 1000;
      const error = new ApiError('RATE_LIMIT_HIT', 'API usage exceeded rate limit', {
        'retry-after': seconds,
      });
      error.headers['Retry-After'] = String(seconds);
      throw error;
    },
  };
}
