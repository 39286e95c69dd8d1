import { type Endpoint, addressOf } from '@parley/api';

import {
  type Reply,
  basic,
  call,
  encodeMultipart,
  getWorld,
  multipartType,
  picture,
} from '../../support/index.ts';
import type { Fixture } from '../fixtures/endpoints.ts';

/** The endpoints that are for some alone are walked by one who may call them. */
export const callerOf = ({ owner, alice }: Fixture, { requires }: Endpoint) =>
  requires.some((required) => required === 'owner' || required === 'administrator') ? owner : alice;

export interface Sending {
  params: Record<string, string>;
  authorization?: string | null;
  contentType?: string;
  /** Instead of the encoded parameters. */
  raw?: string | Buffer;
  query?: string;
  /** Of another api node than the file's own. */
  port?: number;
  /** Of a page; by default a program asks for JSON. */
  accept?: string;
  /** Sends the file that the endpoint asks for, if it asks for one. */
  withFile?: boolean;
}

export async function send(
  fixture: Fixture,
  endpoint: Endpoint,
  { withFile, ...sending }: Sending,
): Promise<Reply> {
  const {
    params,
    authorization,
    contentType,
    raw,
    query,
    port,
    accept = 'application/json',
  }: Sending = {
    ...sending,
    ...(withFile && fileOf(endpoint, sending.params)),
  };
  const { ports } = await getWorld();
  const by = callerOf(fixture, endpoint);
  const rest = isQuery(endpoint) ? shortened(params) : { ...params };
  const path = addressOf(endpoint).replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest[name] ?? '';
    delete rest[name];
    return encodeURIComponent(value.slice(0, lengthInPathMax)).replaceAll('.', '%2E');
  });
  const encoded = new URLSearchParams(rest).toString();
  const search = [query, isQuery(endpoint) ? encoded : ''].filter(Boolean).join('&');
  const isRead = authorization === undefined ? basic(by.email, by.apiKey) : authorization;
  const sent = bodyOf(endpoint, raw, encoded);
  return await call({
    port: port ?? ports.api,
    method: endpoint.method,
    path: `${path}${search ? `?${search}` : ''}`,
    headers: {
      Host: fixture.realm.host,
      ...(isRead !== null && credentialsOf(fixture, endpoint, isRead)),
      ...(endpoint.kind === 'page' && { Accept: accept }),
      ...(sent !== undefined && { 'Content-Type': contentType ?? typeOf(endpoint) }),
      ...(endpoint.kind === 'tus' && tusHeaders),
    },
    ...(sent !== undefined && { body: sent }),
  });
}

/** How whoever asks says so. A browser's session stands for the account, and wrong credentials for another session. */
function credentialsOf({ session, alice }: Fixture, { auth }: Endpoint, authorization: string) {
  if (auth !== 'session') return { Authorization: authorization };
  const isOwn = authorization === basic(alice.email, alice.apiKey);
  const cookie = isOwn ? session.cookie : `sessionid=${alice.id}.${'x'.repeat(43)}`;
  return { Cookie: cookie, 'X-CSRFToken': session.csrfToken };
}

/** A step of an upload says in headers what others say in parameters. */
const tusHeaders = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '3', 'Upload-Offset': '0' };

function typeOf(endpoint: Endpoint): string {
  if (endpoint.kind === 'tus') return 'application/offset+octet-stream';
  return takesBody(endpoint) ? 'application/json' : 'application/x-www-form-urlencoded';
}

function bodyOf(endpoint: Endpoint, raw: string | Buffer | undefined, encoded: string) {
  if (endpoint.kind === 'tus') return endpoint.method === 'PATCH' ? (raw ?? 'abc') : undefined;
  if (takesBody(endpoint)) return raw ?? '{"text":"walked"}';
  return endpoint.method === 'GET' ? undefined : (raw ?? encoded);
}

const takesBody = (endpoint: Endpoint) => endpoint.kind === 'json' && endpoint.takesBody;

/** Whether all parameters go into the query. */
const isQuery = (endpoint: Endpoint) =>
  endpoint.method === 'GET' || endpoint.kind === 'tus' || takesBody(endpoint);

const fileOf = (endpoint: Endpoint, params: Record<string, string>) =>
  endpoint.kind === 'json' && endpoint.upload
    ? {
        contentType: multipartType,
        raw: encodeMultipart([{ name: 'a.png', content: picture, type: 'image/png' }], params),
      }
    : {};

const lengthInPathMax = 150;

/** An address that is longer than node:http takes never reaches the application. */
const shortened = (params: Record<string, string>) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.slice(0, lengthInPathMax)]));
