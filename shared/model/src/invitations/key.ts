import { createHmac, timingSafeEqual } from 'node:crypto';

const macOf = (secret: string, id: string) =>
  createHmac('sha256', secret).update(`invitation:${id}`).digest('base64url');

/** Returns the key that accepts an invitation. The server secret signs it, so no table holds it. */
export const invitationKey = (secret: string, id: number) => `${id}.${macOf(secret, String(id))}`;

/** Returns the id of the invitation that a key accepts; null for a key that the server did not sign. */
export function readInvitationKey(secret: string, key: string): number | null {
  const [, id = '', mac = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(key) ?? [];
  if (mac === '' || !timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(secret, id)))) return null;
  return Number(id);
}

/** Returns the address of the page on which an invitation is accepted. */
export const invitationUrl = (realm: { url: string }, key: string) => `${realm.url}/join/${key}/`;
