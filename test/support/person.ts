import { deriveApiKey } from '@parley/http';
import { type Actor, type Realm, actorOf } from '@parley/model';
import type { Role } from '@parley/protocol';

import { checkReply } from './contract.ts';
import {
  type Json,
  type Params,
  type Reply,
  type SentFile,
  call,
  encode,
  encodeMultipart,
  multipartType,
} from './http.ts';
import { type Listener, listenAs } from './listener.ts';
import { record } from './recording.ts';
import { getWorld } from './world.ts';

/** Someone with an account, and with HTTP as the only way to anything. */
export interface Person {
  id: number;
  email: string;
  name: string;
  role: Role;
  apiKey: string;
  realm: Realm;
  /** The account as the domain's actions take it. */
  actor: Actor;
  /** Each answers with the body, whatever the status; every reply is held against the contract. */
  get(path: string, params?: Params): Promise<Json>;
  post(path: string, params?: Params): Promise<Json>;
  patch(path: string, params?: Params): Promise<Json>;
  delete(path: string, params?: Params): Promise<Json>;
  /** The same with status and headers. */
  ask(method: string, path: string, params?: Params, differing?: Differing): Promise<Reply>;
  /** Sends files to an endpoint of the API. */
  upload(path: string, files: readonly SentFile[], differing?: Differing): Promise<Reply>;
  /** Asks for what lies beside the API: files, pictures. */
  fetch(path: string, headers?: Record<string, string>, differing?: Differing): Promise<Reply>;
  /** Registers a queue without asking for any state. */
  listen(options?: Params): Promise<Listener>;
  /** The same account with another key. */
  withKey(apiKey: string): Person;
}

/** How a request differs from what the person's own program would send. */
interface Differing {
  /** Null sends none. */
  authorization?: string | null;
  host?: string;
  userAgent?: string;
  /** Sends to another api node than the file's own. */
  port?: number;
  signal?: AbortSignal;
}

export type Account = Parameters<typeof actorOf>[0];

export function personOf(account: Account, realm: Realm, apiKey: string): Person {
  const { id, email, fullName } = account;
  const role = account.role as Role;

  async function ask(method: string, path: string, params: Params = {}, differing: Differing = {}) {
    const isQuery = method === 'GET' || method === 'HEAD';
    const isForQueueNode = path === '/events' && (params['queue_id'] !== undefined || method === 'DELETE');
    const { ports } = await getWorld();
    const encoded = encode(params);
    const { authorization = basic(email, apiKey), host = realm.host, userAgent, port, signal } = differing;
    const reply = await call({
      port: port ?? (isForQueueNode ? ports.queue : ports.api),
      method,
      path: `/api/v1${path}${isQuery && encoded ? `?${encoded}` : ''}`,
      headers: {
        Host: host,
        ...(authorization !== null && { Authorization: authorization }),
        ...(userAgent !== undefined && { 'User-Agent': userAgent }),
        ...(!isQuery && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      ...(!isQuery && { body: encoded }),
      ...(signal && { signal }),
    });
    checkReply({ method, path, isForQueueNode }, reply);
    record({ method, path, isForQueueNode, params, status: reply.status }, reply.body);
    return reply;
  }

  const body = async (method: string, path: string, params?: Params) =>
    (await ask(method, path, params)).body;
  const person: Person = {
    id,
    email,
    name: fullName,
    role,
    apiKey,
    realm,
    actor: actorOf(account, realm),
    get: (path, params) => body('GET', path, params),
    post: (path, params) => body('POST', path, params),
    patch: (path, params) => body('PATCH', path, params),
    delete: (path, params) => body('DELETE', path, params),
    ask,
    async upload(path, files, differing = {}) {
      const { authorization = basic(email, apiKey), host = realm.host, port } = differing;
      const { ports } = await getWorld();
      const reply = await call({
        port: port ?? ports.api,
        method: 'POST',
        path: `/api/v1${path}`,
        headers: {
          Host: host,
          ...(authorization !== null && { Authorization: authorization }),
          'Content-Type': multipartType,
        },
        body: encodeMultipart(files),
      });
      checkReply({ method: 'POST', path, isForQueueNode: false }, reply);
      return reply;
    },
    async fetch(path, headers = {}, differing = {}) {
      const { authorization = basic(email, apiKey), host = realm.host, port } = differing;
      const { ports } = await getWorld();
      const credentials = authorization === null ? {} : { Authorization: authorization };
      const sent = { Host: host, ...credentials, ...headers };
      return await call({ port: port ?? ports.api, method: 'GET', path, headers: sent });
    },
    listen: (options) => listenAs(person, options),
    withKey: (other) => personOf(account, realm, other),
  };
  return person;
}

export const basic = (email: string, apiKey: string) =>
  `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;

export const keyOf = (secret: string, { id, keyGeneration }: Pick<Account, 'id' | 'keyGeneration'>) =>
  deriveApiKey(secret, id, keyGeneration);
