import { generateKeyPairSync } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type Http2Server, type ServerHttp2Session, createServer } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { makeTiedFolder } from '@parley/infra';
import { readConfig } from '@parley/kit';
import { type PushClient, createPushClient, pushConfig } from '@parley/push';

import type { Json } from './http.ts';

/** A notification as a service got it: for which device, under which headers, and what it says. */
interface Pushed {
  token: string;
  headers: Record<string, string>;
  body: Json;
}

/** What a service answers instead of taking a notification: a status with its JSON, or nothing at all. */
export type PushReply = { status: number; body?: object; headers?: Record<string, string> } | 'hang up';

/** Apple's and Google's push services, as far as they are asked: HTTP/2 and HTTP servers, and a client for both. */
export interface PushServices extends AsyncDisposable {
  client: PushClient;
  /** All that came, also what was not taken. */
  apns: Pushed[];
  fcm: Pushed[];
  /** How often access was granted. */
  grants: Json[];
  /** What the next asks for the device are answered, in turn. */
  answer(token: string, ...replies: PushReply[]): void;
  /** Ends the connections that are open. */
  cut(): void;
}

const listening = (server: Http2Server | Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

const pemOf = (key: { export(options: { type: 'pkcs8'; format: 'pem' }): string | Buffer }) =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** What has come, and what the next asks are answered. */
class Answers {
  readonly apns: Pushed[] = [];
  readonly fcm: Pushed[] = [];
  readonly grants: Json[] = [];
  private readonly replies = new Map<string, PushReply[]>();

  set(token: string, replies: PushReply[]): void {
    this.replies.set(token, replies);
  }

  next(token: string): PushReply {
    return this.replies.get(token)?.shift() ?? { status: 200, body: {} };
  }
}

/** Apple's service, with the sessions that are open. */
function createApple(answers: Answers): { server: Http2Server; sessions: ReadonlySet<ServerHttp2Session> } {
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => undefined);
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    void text(stream).then((body) => {
      const token = String(headers[':path']).split('/').at(-1) ?? '';
      answers.apns.push({ token, headers: headers as Record<string, string>, body: JSON.parse(body) });
      const reply = answers.next(token);
      if (reply === 'hang up') return stream.session?.destroy();
      stream.respond({ ':status': reply.status, ...reply.headers });
      return stream.end(reply.status === 200 ? '' : JSON.stringify(reply.body ?? {}));
    });
  });
  return { server, sessions };
}

const createGoogle = (answers: Answers) =>
  createHttpServer((request, response) => {
    void text(request).then((body) => {
      if (request.url === '/token') {
        answers.grants.push(Object.fromEntries(new URLSearchParams(body)));
        const token = `access ${answers.grants.length}`;
        response.end(JSON.stringify({ access_token: token, expires_in: 3600 }));
        return;
      }
      const { message } = JSON.parse(body);
      answers.fcm.push({
        token: message.token,
        headers: { ...(request.headers as Record<string, string>), ':path': request.url ?? '' },
        body: message,
      });
      const reply = answers.next(message.token);
      if (reply === 'hang up') request.socket.destroy();
      else response.writeHead(reply.status, reply.headers).end(JSON.stringify(reply.body ?? {}));
    });
  });

/** A client of services at these ports, with keys of its own in the folder. */
async function createClientOf(folder: string, applePort: number, googlePort: number): Promise<PushClient> {
  const [keyFile, accountFile] = [join(folder, 'key.p8'), join(folder, 'account.json')];
  await writeFile(keyFile, pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey));
  await writeFile(
    accountFile,
    JSON.stringify({
      project_id: 'a-project',
      client_email: 'push@a-project.example',
      private_key: pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
      token_uri: `http://127.0.0.1:${googlePort}/token`,
    }),
  );
  return createPushClient(
    readConfig(pushConfig, {
      APNS_KEY_FILE: keyFile,
      APNS_KEY_ID: 'KEY',
      APNS_TEAM_ID: 'TEAM',
      APNS_URL: `http://127.0.0.1:${applePort}`,
      FCM_ACCOUNT_FILE: accountFile,
      FCM_URL: `http://127.0.0.1:${googlePort}`,
    }),
  );
}

export async function startPushServices(): Promise<PushServices> {
  const answers = new Answers();
  const { server: apple, sessions } = createApple(answers);
  const google = createGoogle(answers);
  const [applePort, googlePort] = [await listening(apple), await listening(google)];
  const folder = await makeTiedFolder('parley-push-');
  const client = await createClientOf(folder, applePort, googlePort);
  const cut = () => {
    for (const session of sessions) session.destroy();
    google.closeAllConnections();
  };
  const { apns, fcm, grants } = answers;
  return {
    client,
    apns,
    fcm,
    grants,
    answer: (token, ...all) => answers.set(token, all),
    cut,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      cut();
      await Promise.all([apple, google].map((server) => new Promise((resolve) => server.close(resolve))));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
