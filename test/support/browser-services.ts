import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { readConfig } from '@parley/kit';
import { type PushClient, createPushClient, pushConfig } from '@parley/push';
import { type OutboundOptions, createOutbound, webPushPost } from '@parley/worker';
import { importJWK, jwtVerify } from 'jose';

import type { Json } from './http.ts';
import { patient } from './outside.ts';

/** A notification as a push service got it: encrypted, for a browser. */
export interface BrowserPush {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** What a push service answers instead of taking a notification. */
type BrowserReply = { status: number; headers?: Record<string, string> } | 'hang up';

/** The host at which browsers of tests have their push service. */
const host = 'push.example.com';
/** Whom push services are told to ask. */
const contact = 'mailto:operators@example.com';

/** A push service of browsers on this machine, and a client that finds it by its name. */
export interface BrowserServices extends AsyncDisposable {
  client: PushClient;
  /** All that came, also what was not taken. */
  pushes: BrowserPush[];
  /** What the next asks for the browser at this path are answered, in turn. */
  answer(path: string, ...replies: BrowserReply[]): void;
  /** A client that connects only to where nodes may: the name leads to this machine. */
  guarded: PushClient;
}

export async function startBrowserServices(): Promise<BrowserServices> {
  const pushes: BrowserPush[] = [];
  const replies = new Map<string, BrowserReply[]>();
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const path = request.url ?? '';
      pushes.push({ path, headers: request.headers, body });
      const reply = replies.get(path)?.shift() ?? { status: 201 };
      if (reply === 'hang up') request.socket.destroy();
      else response.writeHead(reply.status, reply.headers).end('not read');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Safe: it listens to a port.
  const { port } = server.address() as AddressInfo;
  const clients = [
    createClient(port, { mayConnect: (address) => address === '127.0.0.1' }),
    createClient(port, {}),
  ] as const;
  return {
    client: clients[0],
    guarded: clients[1],
    pushes,
    answer: (path, ...all) => replies.set(path, all),
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The service speaks plain HTTP, so that it needs no certificate. All else is as nodes have it. */
function createClient(port: number, options: Partial<OutboundOptions>): PushClient {
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  const outbound = createOutbound({ userAgent: 'Parley', resolve, timeouts: patient, ...options });
  const post = webPushPost(outbound);
  const client = createPushClient(readConfig(pushConfig, {}), {
    contact,
    post: ({ url, ...request }) =>
      post({ url: url.replace(`https://${host}/`, `http://${host}:${port}/`), ...request }),
  });
  return {
    ...client,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await outbound[Symbol.asyncDispose]();
    },
  };
}

/** A browser that is subscribed: it alone can read what it is sent. */
export interface PushBrowser {
  path: string;
  /** What a page registers. */
  subscription: { endpoint: string; p256dh: string; auth: string };
  /** What a notification says. Throws for one that is not for this browser. */
  read(push: BrowserPush): Json;
}

export function createPushBrowser(): PushBrowser {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys();
  const auth = randomBytes(16);
  const path = `/${randomBytes(16).toString('base64url')}`;
  return {
    path,
    subscription: {
      endpoint: `https://${host}${path}`,
      p256dh: publicKey.toString('base64url'),
      auth: auth.toString('base64url'),
    },
    read: ({ body }) => JSON.parse(decrypt(body, { pair, publicKey, auth })),
  };
}

interface Keys {
  pair: ReturnType<typeof createECDH>;
  publicKey: Buffer;
  auth: Buffer;
}

/** Reads a message of one record, as RFC 8291 and RFC 8188 describe it. */
function decrypt(body: Buffer, { pair, publicKey, auth }: Keys): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + (body[20] ?? 0));
  const record = body.subarray(21 + sender.length);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender]);
  const shared = Buffer.from(hkdfSync('sha256', pair.computeSecret(sender), auth, info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', shared, salt, `Content-Encoding: ${name}\0`, length));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12), {
    authTagLength: 16,
  });
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  // The last record ends with a 2, and zeros.
  const end = padded.lastIndexOf(2);
  if (end === -1) throw new Error('The record has no end.');
  return padded.subarray(0, end).toString();
}

/** What the sender of a notification claims, if it is signed with the key that belongs to this public one. */
export async function claimsOf({ headers }: BrowserPush, publicKey: string) {
  const [, token = '', sent = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? '') ?? [];
  if (sent !== publicKey) throw new Error('Another key signs.');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const key = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256');
  const { payload } = await jwtVerify(token, key, { audience: `https://${host}`, subject: contact });
  return payload;
}
