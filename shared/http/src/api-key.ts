import { createHmac, timingSafeEqual } from 'node:crypto';

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

/**
 * Returns what an account with this key is found by. It is stored, and shows nothing of the key to whoever does not know
 * it.
 */
export const digestApiKey = (secret: string, apiKey: string) =>
  createHmac('sha256', secret).update(`api-key-digest:${apiKey}`).digest('base64url');

/** Compares two keys in constant time. */
export function sameKey(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
