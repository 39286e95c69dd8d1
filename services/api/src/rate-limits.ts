import { ApiError } from '@parley/protocol';
import { type Redis, keys } from '@parley/redis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';

/** `seconds:count` pairs between commas, as `60:200,3600:2000`: each window has its own budget. */
export interface Rule {
  seconds: number;
  count: number;
}

export function readRules(text: string): Rule[] {
  return text.split(',').map((rule) => {
    const [, seconds, count] = /^(\d+):(\d+)$/.exec(rule.trim()) ?? [];
    if (!seconds || !count) throw new Error(`'${rule}' is not seconds:count`);
    return { seconds: Number(seconds), count: Number(count) };
  });
}

/** What is left, for the X-RateLimit headers. */
export interface Budget {
  limit: number;
  remaining: number;
  resetMs: number;
}

export interface RateLimit {
  /** Takes one from every window; refuses with RATE_LIMIT_HIT when one is empty. */
  take(key: string): Promise<Budget>;
  forget(key: string): Promise<void>;
}

/** Counts in Redis, shared by all nodes; in this process's memory while Redis is away. */
export function createRateLimit(redis: Redis, domain: string, rules: Rule[]): RateLimit {
  const limiters = rules.map(({ seconds, count }): RateLimiterAbstract => {
    const options = { points: count, duration: seconds, keyPrefix: `${keys.rateLimit}:${domain}:${seconds}` };
    return new RateLimiterRedis({
      ...options,
      storeClient: redis,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(options),
    });
  });
  return {
    async take(key) {
      const budgets = await Promise.all(
        limiters.map(async (limiter): Promise<Budget> => {
          const left = await limiter.consume(key).catch(refuse);
          return { limit: limiter.points, remaining: left.remainingPoints, resetMs: left.msBeforeNext };
        }),
      );
      return budgets.reduce((tightest, one) => (one.remaining < tightest.remaining ? one : tightest));
    },
    async forget(key) {
      await Promise.all(limiters.map((limiter) => limiter.delete(key)));
    },
  };
}

function refuse(reason: unknown): never {
  if (!(reason instanceof RateLimiterRes)) throw reason;
  const seconds = Math.max(reason.msBeforeNext, 1) / 1000;
  const error = new ApiError('RATE_LIMIT_HIT', 'API usage exceeded rate limit', { 'retry-after': seconds });
  error.headers['Retry-After'] = String(Math.ceil(seconds));
  throw error;
}

/** Bounds guessing at passwords. */
export interface LoginLimiter {
  /** Counts an attempt; refuses with RATE_LIMIT_HIT after too many. */
  attempt(username: string): Promise<void>;
  /** A success clears the count. */
  forget(username: string): Promise<void>;
}

export function createLoginLimit(redis: Redis, rules: Rule[]): (realmId: number) => LoginLimiter {
  const limit = createRateLimit(redis, 'login', rules);
  return (realmId) => {
    const key = (username: string) => `${realmId}:${username.toLowerCase()}`;
    return {
      async attempt(username) {
        await limit.take(key(username));
      },
      forget: (username) => limit.forget(key(username)),
    };
  };
}
