import { type ClientHttp2Session, connect, constants } from 'node:http2';

import { SignJWT, importPKCS8 } from 'jose';

import {
  type Device,
  type PushNotification,
  type PushOutcome,
  type ServiceClient,
  retryAfterMs,
  timeoutMs,
  unreachable,
} from './push-client.ts';

export interface ApnsOptions {
  url: string;
  /** The PEM of the key that signs, its id, and the id of the team that it belongs to. */
  key: string;
  keyId: string;
  teamId: string;
}

/** The service refuses tokens that are older than an hour, and those who make new ones in less than 20 minutes. */
const tokenMs = 40 * 60_000;
const replyBytesMax = 16 * 1024;
/** What the service says of a device that it does not know, or not with this app. */
const goneReasons = new Set(['BadDeviceToken', 'DeviceTokenNotForTopic', 'Unregistered', 'ExpiredToken']);
/** What the service says of a token of ours that it takes no longer. */
const staleReasons = new Set(['ExpiredProviderToken', 'InvalidProviderToken']);

interface Reply {
  status: number;
  retryAfter: string | undefined;
  reason: string;
}

/** Creates a client of Apple's service, over one HTTP/2 connection that is opened anew when it ends. */
export function createApnsClient({ url, key, keyId, teamId }: ApnsOptions): ServiceClient {
  const signingKey = importPKCS8(key, 'ES256');
  // Whoever sends meets the error.
  signingKey.catch(() => undefined);
  let session: ClientHttp2Session | undefined;
  let signed: { token: Promise<string>; atMs: number } | undefined;

  async function sign(): Promise<string> {
    const header = { alg: 'ES256', kid: keyId };
    return await new SignJWT()
      .setProtectedHeader(header)
      .setIssuer(teamId)
      .setIssuedAt()
      .sign(await signingKey);
  }

  function providerToken(): Promise<string> {
    if (!signed || Date.now() - signed.atMs > tokenMs) signed = { token: sign(), atMs: Date.now() };
    return signed.token;
  }

  function openSession(): ClientHttp2Session {
    if (session && !session.closed && !session.destroyed) return session;
    const opened = connect(url);
    const forget = () => {
      if (session === opened) session = undefined;
    };
    opened.on('error', forget);
    opened.on('close', forget);
    // The service finishes what it has, and takes nothing more.
    opened.on('goaway', forget);
    session = opened;
    return opened;
  }

  async function request(path: string, headers: Record<string, string>, body: string): Promise<Reply> {
    const connection = openSession();
    return await new Promise((resolve, reject) => {
      const stream = connection.request({ ':method': 'POST', ':path': path, ...headers });
      const reply: Reply = { status: 0, retryAfter: undefined, reason: '' };
      let text = '';
      const timer = setTimeout(() => {
        stream.close(constants.NGHTTP2_CANCEL);
        // A connection on which nothing is answered may be dead: the next notification gets another.
        connection.destroy();
        reject(new Error('The service did not answer in time.'));
      }, timeoutMs);
      stream.setEncoding('utf8');
      stream.on('response', (received) => {
        reply.status = received[':status'] ?? 0;
        reply.retryAfter = received['retry-after'];
      });
      stream.on('data', (chunk: string) => {
        if (text.length < replyBytesMax) text += chunk;
      });
      stream.on('error', reject);
      stream.on('close', () => {
        clearTimeout(timer);
        if (reply.status === 0) reject(new Error('The service ended the connection.'));
        else resolve({ ...reply, reason: reasonIn(text) });
      });
      stream.end(body);
    });
  }

  async function send(
    { token, appId }: Device,
    { alert, fields, collapseId, validSeconds }: PushNotification,
  ): Promise<PushOutcome> {
    const aps = alert ? { alert, sound: 'default' } : { 'content-available': 1 };
    const headers = {
      authorization: `bearer ${await providerToken()}`,
      'apns-topic': appId ?? '',
      'apns-push-type': alert ? 'alert' : 'background',
      'apns-priority': alert ? '10' : '5',
      'apns-expiration': String(Math.floor(Date.now() / 1000) + validSeconds),
      ...(collapseId !== undefined && { 'apns-collapse-id': collapseId }),
    };
    return outcomeOf(await request(`/3/device/${token}`, headers, JSON.stringify({ aps, ...fields.apns })));
  }

  function outcomeOf({ status, reason, retryAfter }: Reply): PushOutcome {
    if (status === 200) return { kind: 'sent' };
    if (status === 410 || goneReasons.has(reason)) return { kind: 'gone' };
    if (staleReasons.has(reason)) signed = undefined;
    const what = `${status} ${reason}`;
    const isForLater = status === 429 || status >= 500 || reason === 'ExpiredProviderToken';
    if (!isForLater) return { kind: 'refused', reason: what };
    return {
      kind: 'later',
      isReached: true,
      retryAfterMs: retryAfterMs(retryAfter, Date.now()),
      reason: what,
    };
  }

  return {
    send: (device, notification) => send(device, notification).catch(unreachable),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        if (!session || session.destroyed) return resolve();
        session.once('close', resolve);
        session.destroy();
      }),
  };
}

function reasonIn(text: string): string {
  try {
    const reply: unknown = JSON.parse(text);
    return typeof reply === 'object' && reply !== null && 'reason' in reply ? String(reply.reason) : '';
  } catch {
    return '';
  }
}
