import { createHmac } from 'node:crypto';

import type { UserRow } from '@parley/db';
import { type Secrets, isMadeWith } from '@parley/kit';

/** The path, in front of a key, under which a new password is set. */
export const passwordResetPath = '/accounts/password/reset';

/** What a link was made for: it is void as soon as any of it is another. */
type Account = Pick<UserRow, 'id' | 'realmId' | 'email' | 'passwordHash' | 'keyGeneration'>;

function macOf(secret: string, account: Account, untilSeconds: string): string {
  const { id, realmId, email, passwordHash, keyGeneration } = account;
  const signed = JSON.stringify([realmId, id, untilSeconds, email, passwordHash, keyGeneration]);
  return createHmac('sha256', secret).update(`password-reset:${signed}`).digest('base64url');
}

/**
 * Returns the key with which an account is given a new password, until a time. The server secret signs it together with
 * the present password, so no table holds it, and it serves once.
 */
export function passwordResetKey(secret: string, account: Account, untilMs: number): string {
  const until = String(Math.floor(untilMs / 1000));
  return `${account.id}.${until}.${macOf(secret, account, until)}`;
}

/** Returns the id of the account that a key names; null for what is no key, or one that is too old. */
export function readPasswordResetKey(key: string, nowMs: number): number | null {
  const [, id = '', until = ''] = /^(\d{1,10})\.(\d{1,12})\.[\w-]{43}$/.exec(key) ?? [];
  return id === '' || Number(until) * 1000 <= nowMs ? null : Number(id);
}

/** Returns whether a key was made for an account as it is now. */
export function isPasswordResetKeyOf(secrets: Secrets, key: string, account: Account): boolean {
  const [id = '', until = '', mac = ''] = key.split('.');
  return id === String(account.id) && isMadeWith(secrets, mac, (secret) => macOf(secret, account, until));
}
