import type { Clock } from '@parley/kit';
import { ApiError } from '@parley/protocol';
import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { z } from 'zod';

import { keys } from './keys.ts';

/** Who has a budget: a user, an address, a name. */
type RateLimitKey = string | number;

/** At most `count` in a window of `seconds`. */
export interface RateLimitRule {
  seconds: number;
  count: number;
}

const RateLimitRule = z
  .string()
  .trim()
  .regex(/^[1-9]\d*:[1-9]\d*$/, {
    error: ({ input }) => `'${String(input)}' is not of the form seconds:count`,
  })
  .transform((text): RateLimitRule => {
    const [seconds = 0, count = 0] = text.split(':').map(Number);
    return { seconds, count };
  });

/** A setting of `seconds:count` pairs between commas, as `60:200,3600:2000`: each pair is a budget of its own. */
export const RateLimitRules = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(RateLimitRule));

/** What is left of the tightest budget. */
export interface Budget {
  limit: number;
  remaining: number;
  resetMs: number;
}

/** Returns the headers by which a caller knows their budget, as raw pairs. */
export const budgetHeaders = ({ limit, remaining, resetMs }: Budget, nowMs: number) => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(Math.ceil((nowMs + resetMs) / 1000)),
});

const unlimited: Budget = { limit: Infinity, remaining: Infinity, resetMs: 0 };

/** Counts for all nodes together. What is done may cost more than one. */
export interface SharedRateLimiter {
  /**
   * Takes a cost from each of the key's budgets.
   * @throws RATE_LIMIT_HIT when one of them is empty
   */
  take(key: RateLimitKey, cost?: number): Promise<Budget>;
  /** Takes a cost for what was done already, whether or not something is left of the budgets. */
  charge(key: RateLimitKey, cost: number): Promise<void>;
  /** Gives back what was taken. */
  giveBack(key: RateLimitKey, cost?: number): Promise<void>;
  /** Gives the key its whole budget back. */
  forget(key: RateLimitKey): Promise<void>;
}

const tightestOf = (budgets: readonly Budget[]): Budget =>
  budgets.reduce((tightest, budget) => (budget.remaining < tightest.remaining ? budget : tightest));

/** Counts for one node. */
export interface LocalRateLimiter {
  /**
   * Takes one from each of the key's budgets.
   * @throws RATE_LIMIT_HIT when one of them is empty
   */
  take(key: RateLimitKey): void;
  /** What is left of a key's tightest budget. Takes nothing. */
  budget(key: RateLimitKey): Budget;
}

/** Counts in Redis, and in this process's memory while Redis is away. A window begins with a key's first use. */
export function createSharedRateLimiter(
  redis: Redis,
  name: string,
  rules: readonly RateLimitRule[],
  clock: Clock,
): SharedRateLimiter {
  const limiters = rules.map(({ seconds, count }): RateLimiterAbstract => {
    const options = { points: count, duration: seconds, keyPrefix: `${keys.rateLimit}:${name}:${seconds}` };
    return new RateLimiterRedis({
      ...options,
      storeClient: redis,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(options),
    });
  });
  return {
    async take(key, cost = 1) {
      const budgets = await Promise.all(
        limiters.map(async (limiter): Promise<Budget> => {
          const left = await limiter.consume(key, cost).catch((reason: unknown) => {
            if (!(reason instanceof RateLimiterRes)) throw reason;
            const { points: limit } = limiter;
            throw rateLimitHit({ limit, remaining: 0, resetMs: reason.msBeforeNext }, clock.nowMs());
          });
          return { limit: limiter.points, remaining: left.remainingPoints, resetMs: left.msBeforeNext };
        }),
      );
      return tightestOf(budgets);
    },
    async charge(key, cost) {
      await Promise.all(limiters.map((limiter) => limiter.penalty(key, cost)));
    },
    async giveBack(key, cost = 1) {
      await Promise.all(limiters.map((limiter) => limiter.reward(key, cost)));
    },
    async forget(key) {
      await Promise.all(limiters.map((limiter) => limiter.delete(key)));
    },
  };
}

/**
 * Counts in this process's memory, without waiting and without a round trip: every node allows the whole budget. All
 * keys share their windows, and each window forgets the one before it.
 */
export function createLocalRateLimiter(rules: readonly RateLimitRule[], clock: Clock): LocalRateLimiter {
  const windows = rules.map(({ seconds, count }) => ({
    lengthMs: seconds * 1000,
    countMax: count,
    number: 0,
    counts: new Map<RateLimitKey, number>(),
  }));
  return {
    take(key) {
      const nowMs = clock.nowMs();
      for (const window of windows) {
        const number = Math.floor(nowMs / window.lengthMs);
        if (number !== window.number) {
          window.counts.clear();
          window.number = number;
        }
        const count = (window.counts.get(key) ?? 0) + 1;
        window.counts.set(key, count);
        if (count > window.countMax) {
          const resetMs = (number + 1) * window.lengthMs - nowMs;
          throw rateLimitHit({ limit: window.countMax, remaining: 0, resetMs }, nowMs);
        }
      }
    },
    budget(key) {
      const nowMs = clock.nowMs();
      let tightest: Budget | null = null;
      for (const { lengthMs, countMax, number, counts } of windows) {
        const current = Math.floor(nowMs / lengthMs);
        const count = (current === number && counts.get(key)) || 0;
        const remaining = Math.max(0, countMax - count);
        if (tightest && remaining >= tightest.remaining) continue;
        tightest = { limit: countMax, remaining, resetMs: (current + 1) * lengthMs - nowMs };
      }
      return tightest ?? unlimited;
    },
  };
}

export function rateLimitHit(
  budget: Budget,
  nowMs: number,
  msg = 'You have sent too many requests. Please wait before you try again.',
): ApiError {
  const seconds = Math.max(budget.resetMs, 1) / 1000;
  const error = new ApiError('RATE_LIMIT_HIT', msg, { 'retry-after': seconds });
  Object.assign(error.headers, budgetHeaders(budget, nowMs), { 'Retry-After': String(Math.ceil(seconds)) });
  return error;
}
