import { type BasicCredentials, readApiKey, readBasicAuth } from '@parley/http';
import { SmallCache, type Clock, type Logger, FairQueue } from '@parley/kit';
import type { Actor, Realm } from '@parley/model';
import { ApiError, notReady } from '@parley/protocol';
import {
  type RateLimitRule,
  type Redis,
  type SharedRateLimiter,
  createSharedRateLimiter,
} from '@parley/redis';

import { addressCosts } from './address-costs.ts';

const knownMax = 50_000;
/** Of what an address may present wrongly, so much is looked up at once. Other nodes look up as much. */
const shareAtOnce = 1 / 8;
const waitingMax = 500;

interface Presented {
  realm: Realm;
  address: string;
  credentials: BasicCredentials;
}

/** Limits how many wrong credentials an address may present. */
export interface KeyGuard {
  /**
   * Reads a header of Basic auth. One that holds no key counts as a wrong one.
   *
   * @throws RATE_LIMIT_HIT after too many wrong ones, and whatever `readBasicAuth` throws
   */
  read(address: string, header: string | undefined): Promise<BasicCredentials>;
  /**
   * Reads a key that comes without an email address, in the same way.
   *
   * @throws RATE_LIMIT_HIT after too many wrong ones, UNAUTHORIZED for what has not the form of a key
   */
  readKey(address: string, apiKey: string): Promise<string>;
  /**
   * Verifies credentials: over the limit none is looked up. Credentials that were right before are always looked up, so
   * that one program with a wrong key stops no other at its address. The others take turns, so that thousands who come
   * back from one address at once are not taken for wrong ones.
   *
   * @throws RATE_LIMIT_HIT after too many wrong ones, SERVER_NOT_READY when too many wait, and whatever `look` throws
   */
  verify(presented: Presented, look: () => Promise<Actor>): Promise<Actor>;
}

interface KeyGuardDeps {
  redis: Redis;
  clock: Clock;
  rules: RateLimitRule[];
  /** The budget of an address for whatever it asks without an account. */
  byAddress: Pick<SharedRateLimiter, 'charge'>;
  logger: Logger;
}

export function createKeyGuard({ redis, clock, rules, byAddress, logger }: KeyGuardDeps): KeyGuard {
  const limiter = createSharedRateLimiter(redis, 'wrong-key', rules, clock);
  const known = new SmallCache<string, true>(knownMax);
  const fewest = Math.min(...rules.map(({ count }) => count));
  const lookUps = new FairQueue({
    atOnce: { all: Number.POSITIVE_INFINITY, ofCaller: Math.max(Math.floor(fewest * shareAtOnce), 1) },
    waitingMax: { all: Number.POSITIVE_INFINITY, ofCaller: waitingMax },
  });

  async function lookUp(
    pair: string,
    isKnown: boolean,
    { realm, address, credentials: { email } }: Presented,
    look: () => Promise<Actor>,
  ): Promise<Actor> {
    if (!isKnown) await limiter.take(address);
    try {
      const actor = await look();
      known.set(pair, true);
      if (!isKnown) await limiter.giveBack(address);
      return actor;
    } catch (error) {
      // What is to be tried again is not decided.
      if (error instanceof ApiError && error.code !== 'SERVER_NOT_READY') {
        known.delete(pair);
        // Whoever mixes up the two fields sends the key as the address.
        const named = email.includes('@') ? { account: email } : {};
        logger.warn({ realm: realm.name, address, ...named }, 'credentials refused');
        await byAddress.charge(address, addressCosts.refusal);
      } else if (!isKnown) await limiter.giveBack(address);
      throw error;
    }
  }

  async function readOrCount<Read>(address: string, read: () => Read): Promise<Read> {
    try {
      return read();
    } catch (error) {
      await limiter.take(address);
      await byAddress.charge(address, addressCosts.refusal);
      throw error;
    }
  }

  return {
    read: (address, header) => readOrCount(address, () => readBasicAuth(header)),
    readKey: (address, apiKey) => readOrCount(address, () => readApiKey(apiKey)),
    async verify(presented, look) {
      const { realm, address, credentials } = presented;
      const pair = `${realm.id}:${credentials.email.toLowerCase()}:${credentials.apiKey}`;
      if (known.has(pair)) return await lookUp(pair, true, presented, look);
      const caller = { key: address };
      if (lookUps.isFull(caller)) throw notReady();
      return await lookUps.run(caller, () => lookUp(pair, known.has(pair), presented, look), { factor: 0 });
    },
  };
}
