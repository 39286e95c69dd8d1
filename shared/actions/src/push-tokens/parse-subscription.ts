import { ECDH } from 'node:crypto';

import { ApiError, limits } from '@parley/protocol';

/** What a browser says of how it is notified, as it is stored. */
export interface Subscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

const authBytes = 16;
const pointBytes = 65;

/**
 * Returns the form in which a subscription is stored.
 *
 * @throws BAD_REQUEST for an address that no push service has, and for keys with which nothing can be encrypted
 */
export function parseSubscription({ endpoint, p256dh, auth }: Subscription): Subscription {
  return {
    endpoint: parseEndpoint(endpoint),
    p256dh: parsePoint(p256dh),
    auth: parseBytes('auth', auth, authBytes).toString('base64url'),
  };
}

/**
 * The address is that of a name: where that leads is checked whenever a notification is sent, and nothing is sent into a
 * network of one's own.
 */
function parseEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  const isAllowed =
    url?.protocol === 'https:' &&
    url.username === '' &&
    url.password === '' &&
    url.hash === '' &&
    // What has been parsed as an address of IPv4 or IPv6 ends with a digit or a bracket.
    /^(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*$/.test(url.hostname) &&
    url.href.length <= limits.webPushEndpointLength;
  if (!isAllowed)
    throw new ApiError('BAD_REQUEST', 'The endpoint must be the https address of a push service.');
  return url.href;
}

function parsePoint(p256dh: string): string {
  const point = parseBytes('p256dh', p256dh, pointBytes);
  try {
    if (point[0] !== 4) throw new Error('The point is compressed.');
    // It throws for a point that is not on the curve.
    ECDH.convertKey(point, 'prime256v1');
  } catch {
    throw new ApiError('BAD_REQUEST', 'p256dh is not a public key on the curve P-256.');
  }
  return point.toString('base64url');
}

function parseBytes(name: string, text: string, length: number): Buffer {
  const bytes = /^[A-Za-z0-9_+/=-]{1,100}$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0);
  if (bytes.length !== length)
    throw new ApiError('BAD_REQUEST', `${name} must be ${length} bytes in base64url.`);
  return bytes;
}
