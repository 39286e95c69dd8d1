import { createHash } from 'node:crypto';

import {
  type BrowserDevice,
  type PushNotification,
  type PushOutcome,
  type ServiceClient,
  retryAfterMs,
} from './push-client.ts';

export interface WebOptions {
  /** By which push services reach whoever runs the server: an address that begins with mailto: or https:. */
  contact: string;
  /** Sends a request to a push service. Null for an address that the server must not ask; it throws for one that does not answer. */
  post: (request: WebRequest) => Promise<WebReply | null>;
}

export interface WebRequest {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

export interface WebReply {
  status: number;
  retryAfter: string;
}

/**
 * The most bytes of what a browser is told: services take 4096 bytes, of which 86 are the head of the encryption, 16 its
 * tag, and one ends the padding.
 */
export const webBytesMax = 4096 - 86 - 16 - 1;

/**
 * Creates a client of the push services of browsers. Each browser names the address of its service, and a notification is
 * encrypted for the browser alone (RFC 8291), and signed by the organization (RFC 8292).
 */
export function createWebClient({ contact, post }: WebOptions): ServiceClient<BrowserDevice> {
  return {
    async send(device, notification) {
      const request = await requestOf(device, notification, contact);
      if (!request)
        return { kind: 'refused', reason: 'The notification cannot be encrypted for this browser.' };
      try {
        return outcomeOf(await post(request));
      } catch {
        // The error names the address, and whoever knows that may send to the browser.
        const reason = 'The push service of a browser cannot be reached.';
        return { kind: 'later', isReached: false, retryAfterMs: 0, reason };
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const contentEncoding = 'aes128gcm';

/** The request that hands a notification over; null for what cannot be encrypted, or is too long. */
async function requestOf(
  { token, keys, vapid }: BrowserDevice,
  { alert, fields, topic, validSeconds }: PushNotification,
  contact: string,
): Promise<WebRequest | null> {
  const text = JSON.stringify(fields.web);
  if (Buffer.byteLength(text) > webBytesMax) return null;
  try {
    // Most processes with this room never send to a browser.
    const { default: webPush } = await import('web-push');
    const { headers, body } = webPush.generateRequestDetails({ endpoint: token, keys }, text, {
      contentEncoding,
      TTL: validSeconds,
      urgency: alert ? 'high' : 'normal',
      ...(topic !== undefined && { topic: topicOf(topic) }),
    });
    const { origin } = new URL(token);
    // The package would find the origin with a function of Node that warns of itself.
    const { publicKey, privateKey } = vapid;
    const signed = webPush.getVapidHeaders(origin, contact, publicKey, privateKey, contentEncoding);
    const named = Object.entries({ ...headers, Authorization: signed.Authorization })
      // The length is that of the body.
      .filter(([name]) => name !== 'Content-Length')
      .map(([name, value]) => [name, String(value)]);
    return { url: token, headers: Object.fromEntries(named), body: new Uint8Array(body) };
  } catch {
    return null;
  }
}

/** Services take 32 characters of base64url. */
const topicOf = (topic: string) => createHash('sha256').update(topic).digest('base64url').slice(0, 32);

function outcomeOf(reply: WebReply | null): PushOutcome {
  // An address that must not be asked is as good as none.
  if (!reply) return { kind: 'gone' };
  const { status, retryAfter } = reply;
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const reason = `The push service of a browser answered with ${status}.`;
  if (status !== 429 && status < 500) return { kind: 'refused', reason };
  return { kind: 'later', isReached: true, retryAfterMs: retryAfterMs(retryAfter, Date.now()), reason };
}
