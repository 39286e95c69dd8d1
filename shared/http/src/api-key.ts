import { createHmac, timingSafeEqual } from 'node:crypto';

import { type Secrets, withEach } from '@parley/kit';
import { tally } from '@parley/telemetry';

import { textOfItsOwn } from './own-text.ts';

/**
 * Returns a user's API key: derived, never stored. Raising the user's key generation makes a new key and ends the old
 * one. 32 characters of [A-Za-z0-9], as clients require.
 */
export function deriveApiKey(secret: string, userId: number, generation: number): string {
  const digest = createHmac('sha512', secret).update(`api-key:${userId}:${generation}`).digest('base64');
  const key = digest
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 32)
    .padEnd(32, '0');
  return textOfItsOwn(key);
}

/** Returns the keys that a user may present: the present one first, and that of the other secret. */
export const acceptedApiKeys = (secrets: Secrets, userId: number, generation: number) =>
  withEach(secrets, (secret) => deriveApiKey(secret, userId, generation));

/** Returns what shows nothing of a key to whoever does not know the secret. */
export const digestApiKey = (secret: string, apiKey: string) =>
  createHmac('sha256', secret).update(`api-key-digest:${apiKey}`).digest('base64url');

/** Returns what accounts are found by if a request has a key and no address. */
export function createKeyDigests(secrets: Secrets) {
  const names = withEach(secrets, (secret) => digestApiKey(secret, 'name of the secret').slice(0, 8));
  return {
    /** Which secrets they are made with. */
    secrets: names.sort().join(' '),
    /** Returns the digests of the keys that a user may present. */
    of: (userId: number, generation: number) =>
      withEach(secrets, (secret) => digestApiKey(secret, deriveApiKey(secret, userId, generation))),
    /** Returns those of which the account with a key has one. */
    ofKey: (apiKey: string) => withEach(secrets, (secret) => digestApiKey(secret, apiKey)),
  };
}

const otherKeys = tally(
  'parley_other_secret_keys_total',
  'API keys that were accepted and are made with the other secret, not with the present one',
);

/** Returns whether a key is one of those that its account may present, of which the first is of the present secret. */
export function isAcceptedKey(accepted: readonly string[], apiKey: string): boolean {
  const place = accepted.findIndex((key) => sameKey(key, apiKey));
  if (place > 0) otherKeys.count += 1;
  return place !== -1;
}

/** Compares two keys in constant time. */
export function sameKey(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
