import { createHmac } from 'node:crypto';

import { type Secrets, isMadeWith } from '@parley/kit';

const macOf = (secret: string, id: string) =>
  createHmac('sha256', secret).update(`email-change:${id}`).digest('base64url');

/** Returns the key that confirms a change of email address. The server secret signs it, so no table holds it. */
export const emailChangeKey = (secret: string, id: number) => `${id}.${macOf(secret, String(id))}`;

/** Returns the id of the change that a key confirms; null for a key that the server did not sign. */
export function readEmailChangeKey(secrets: Secrets, key: string): number | null {
  const [, id = '', mac = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(key) ?? [];
  return isMadeWith(secrets, mac, (secret) => macOf(secret, id)) ? Number(id) : null;
}

/** The path, in front of a key, under which a change is confirmed. */
export const emailChangePath = '/accounts/confirm_new_email';
