import type { JsonEndpoint } from '@parley/api';

import {
  type Reply,
  basic,
  call,
  encodeMultipart,
  getWorld,
  multipartType,
  picture,
} from '../../support/index.ts';
import type { Fixture } from './fixture.ts';

/** The endpoints that are for some alone are walked by one who may call them. */
export const callerOf = ({ owner, alice }: Fixture, { requires }: JsonEndpoint) =>
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
  /** Sends the file that the endpoint asks for, if it asks for one. */
  withFile?: boolean;
}

export async function send(
  fixture: Fixture,
  endpoint: JsonEndpoint,
  { withFile, ...sending }: Sending,
): Promise<Reply> {
  const { params, authorization, contentType, raw, query, port }: Sending = {
    ...sending,
    ...(withFile && fileOf(endpoint, sending.params)),
  };
  const { ports } = await getWorld();
  const by = callerOf(fixture, endpoint);
  const rest = isQuery(endpoint) ? shortened(params) : { ...params };
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest[name] ?? '';
    delete rest[name];
    return encodeURIComponent(value.slice(0, lengthInPathMax)).replaceAll('.', '%2E');
  });
  const encoded = new URLSearchParams(rest).toString();
  const search = [query, isQuery(endpoint) ? encoded : ''].filter(Boolean).join('&');
  const isRead = authorization === undefined ? basic(by.email, by.apiKey) : authorization;
  return await call({
    port: port ?? ports.api,
    method: endpoint.method,
    path: `/api/v1${path}${search ? `?${search}` : ''}`,
    headers: {
      Host: fixture.realm.host,
      ...(isRead !== null && { Authorization: isRead }),
      ...(!isQuery(endpoint) && { 'Content-Type': contentType ?? 'application/x-www-form-urlencoded' }),
    },
    ...(endpoint.takesBody && { body: raw ?? '{"text":"walked"}' }),
    ...(!isQuery(endpoint) && { body: raw ?? encoded }),
  });
}

/** Whether all parameters go into the query. */
const isQuery = ({ method, takesBody }: JsonEndpoint) => method === 'GET' || takesBody;

const fileOf = (endpoint: JsonEndpoint, params: Record<string, string>) =>
  endpoint.upload
    ? {
        contentType: multipartType,
        raw: encodeMultipart([{ name: 'a.png', content: picture, type: 'image/png' }], params),
      }
    : {};

const lengthInPathMax = 150;

/** An address that is longer than node:http takes never reaches the application. */
const shortened = (params: Record<string, string>) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.slice(0, lengthInPathMax)]));
