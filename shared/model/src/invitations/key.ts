import { createHmac } from 'node:crypto';

import { type Secrets, isMadeWith } from '@parley/kit';

const macOf = (secret: string, id: string) =>
  createHmac('sha256', secret).update(`invitation:${id}`).digest('base64url');

/** Returns the key that accepts an invitation. The server secret signs it, so no table holds it. */
export const invitationKey = (secret: string, id: number) => `${id}.${macOf(secret, String(id))}`;

/** Returns the id of the invitation that a key accepts; null for a key that the server did not sign. */
export function readInvitationKey(secrets: Secrets, key: string): number | null {
  const [, id = '', mac = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(key) ?? [];
  return isMadeWith(secrets, mac, (secret) => macOf(secret, id)) ? Number(id) : null;
}

/** Returns the address of the page on which an invitation is accepted. */
export const invitationUrl = (realm: { url: string }, key: string) => `${realm.url}/join/${key}/`;
