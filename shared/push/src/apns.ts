import { type ClientHttp2Session, connect, constants } from 'node:http2';

import { SignJWT, importPKCS8 } from 'jose';

import {
  type Phone,
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
export function createApnsClient({ url, ...signing }: ApnsOptions): ServiceClient {
  const connection = new ServiceConnection(url);
  const tokens = new ProviderTokens(signing);

  async function send(
    { token, appId }: Phone,
    { alert, fields, collapseId, validSeconds }: PushNotification,
  ): Promise<PushOutcome> {
    const aps = alert ? { alert, sound: 'default' } : { 'content-available': 1 };
    const headers = {
      authorization: `bearer ${await tokens.get()}`,
      'apns-topic': appId ?? '',
      'apns-push-type': alert ? 'alert' : 'background',
      'apns-priority': alert ? '10' : '5',
      'apns-expiration': String(Math.floor(Date.now() / 1000) + validSeconds),
      ...(collapseId !== undefined && { 'apns-collapse-id': collapseId }),
    };
    const body = JSON.stringify({ aps, ...fields.apns });
    const reply = await request(connection.open(), `/3/device/${token}`, headers, body);
    if (isStale(reply)) tokens.forget();
    return outcomeOf(reply);
  }

  return {
    send: (device, notification) => send(device, notification).catch(unreachable),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

/** The connection to the service, as long as there is one. */
class ServiceConnection implements AsyncDisposable {
  readonly #url: string;
  #session: ClientHttp2Session | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  open(): ClientHttp2Session {
    if (this.#session && !this.#session.closed && !this.#session.destroyed) return this.#session;
    const opened = connect(this.#url);
    const forget = () => {
      if (this.#session === opened) this.#session = undefined;
    };
    opened.on('error', forget);
    opened.on('close', forget);
    // The service finishes what it has, and takes nothing more.
    opened.on('goaway', forget);
    this.#session = opened;
    return opened;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return new Promise((resolve) => {
      const session = this.#session;
      if (!session || session.destroyed) return resolve();
      session.once('close', resolve);
      session.destroy();
    });
  }
}

/** The token that says who sends: one for as long as the service takes it. */
class ProviderTokens {
  readonly #options: Omit<ApnsOptions, 'url'>;
  readonly #key: ReturnType<typeof importPKCS8>;
  #signed: { token: Promise<string>; atMs: number } | undefined;

  constructor(options: Omit<ApnsOptions, 'url'>) {
    this.#options = options;
    this.#key = importPKCS8(options.key, 'ES256');
    // Whoever sends meets the error.
    this.#key.catch(() => undefined);
  }

  get(): Promise<string> {
    if (!this.#signed || Date.now() - this.#signed.atMs > tokenMs)
      this.#signed = { token: this.#sign(), atMs: Date.now() };
    return this.#signed.token;
  }

  /** The service takes it no longer: the next one is new. */
  forget(): void {
    this.#signed = undefined;
  }

  async #sign(): Promise<string> {
    return await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: this.#options.keyId })
      .setIssuer(this.#options.teamId)
      .setIssuedAt()
      .sign(await this.#key);
  }
}

async function request(
  connection: ClientHttp2Session,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<Reply> {
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

const isSent = ({ status }: Reply) => status === 200;
const isGone = ({ status, reason }: Reply) => status === 410 || goneReasons.has(reason);
const isStale = (reply: Reply) => !isSent(reply) && !isGone(reply) && staleReasons.has(reply.reason);

function outcomeOf(reply: Reply): PushOutcome {
  const { status, reason, retryAfter } = reply;
  if (isSent(reply)) return { kind: 'sent' };
  if (isGone(reply)) return { kind: 'gone' };
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

function reasonIn(text: string): string {
  try {
    const reply: unknown = JSON.parse(text);
    return typeof reply === 'object' && reply !== null && 'reason' in reply ? String(reply.reason) : '';
  } catch {
    return '';
  }
}
