import { createHmac } from 'node:crypto';

import { type Secrets, isMadeWith } from '@parley/kit';

const macOf = (secret: string, id: string) =>
  createHmac('sha256', secret).update(`unsubscribe:${id}`).digest('base64url');

/** Returns the address at which a user's notifications by mail are ended, by whoever has one of these mails. */
export const unsubscribeUrl = (secret: string, realm: { url: string }, userId: number) =>
  `${realm.url}/unsubscribe/${userId}.${macOf(secret, String(userId))}/`;

/** Returns the id of the user whose notifications a key ends; null for a key that the server did not sign. */
export function readUnsubscribeKey(secrets: Secrets, key: string): number | null {
  const [, id = '', mac = ''] = /^(\d{1,10})\.([\w-]{43})$/.exec(key) ?? [];
  return isMadeWith(secrets, mac, (secret) => macOf(secret, id)) ? Number(id) : null;
}
