import type { Clock, Logger } from '@parley/kit';
import {
  type RateLimitRule,
  type Redis,
  type SharedRateLimiter,
  createSharedRateLimiter,
} from '@parley/redis';

import { addressCosts } from './address-costs.ts';

/**
 * Limits how often somebody at one address can guess passwords: of each username, and in all. Nobody elsewhere is kept
 * from logging in.
 */
export interface LoginLimiter {
  /**
   * Counts an attempt.
   * @throws RATE_LIMIT_HIT after too many
   */
  attempt(username: string): Promise<void>;
  /** Clears the count of the username, after an attempt that was successful, or no guess: it does not count. */
  succeed(username: string): Promise<void>;
  /** Logs an attempt that was refused, and charges the address for it. */
  refuse(username: string): Promise<void>;
}

/** Who attempts to log in, and where. */
export interface LoginPlace {
  realm: { id: number; name: string };
  address: string;
}

interface LoginLimiterDeps {
  redis: Redis;
  clock: Clock;
  /** For one username at one address. */
  rules: RateLimitRule[];
  /** For one address. */
  rulesByAddress: RateLimitRule[];
  /** The budget of an address for whatever it asks without an account. */
  byAddress: Pick<SharedRateLimiter, 'charge'>;
  logger: Logger;
}

export function createLoginLimiters(deps: LoginLimiterDeps): (place: LoginPlace) => LoginLimiter {
  const { redis, clock, logger } = deps;
  const byUsername = createSharedRateLimiter(redis, 'login', deps.rules, clock);
  const failedByAddress = createSharedRateLimiter(redis, 'login-address', deps.rulesByAddress, clock);
  return ({ realm, address }) => {
    const key = (username: string) => `${realm.id}:${address}:${canonicalName(username)}`;
    return {
      async attempt(username) {
        await failedByAddress.take(address);
        await byUsername.take(key(username));
      },
      async succeed(username) {
        await Promise.all([byUsername.forget(key(username)), failedByAddress.giveBack(address)]);
      },
      async refuse(username) {
        logger.warn({ realm: realm.name, address, account: username }, 'login refused');
        await deps.byAddress.charge(address, addressCosts.refusal);
      },
    };
  };
}

/**
 * Returns one form of all names that some directory takes for the same: without what it ignores (RFC 4518: control and
 * format characters, spaces around and between, the case, the form of a character), and without accents, which some
 * ignore, too. Names that count together lose nothing but guesses.
 */
export const canonicalName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\t-\r\u0085]/g, ' ')
    .replaceAll(/[\p{C}\p{M}]/gu, '')
    .replaceAll(/[\s\p{Z}]+/gu, ' ')
    .trim()
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD');
