import { type IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  assertHeadIsValid,
  drain,
  headerBytesMax,
  jsonHeaders,
  methodNotAllowed,
  readBody,
  refuseConnection,
  strictTransportSecurity,
} from '@parley/http';
import { ApiError } from '@parley/protocol';

import type { ErrorHandler } from './error-handler.ts';
import { PollResponse } from './poll-response.ts';
import { sendJson } from './send-json.ts';

export class EventsServer extends Server<typeof IncomingMessage, typeof PollResponse> {
  /** While the server drains, every answer closes its connection. */
  isDraining = false;
}

/** The body is empty unless the request has one and is no GET. */
interface EventsServerDeps {
  onError: ErrorHandler;
  /** Whether clients reach it by TLS. */
  isHttps: boolean;
}

export type Handle = (response: PollResponse, query: string, body: string) => void;
/** Handlers by path and method. */
type Routes = Readonly<Record<string, Readonly<Record<string, Handle>>>>;

/** Longer than a proxy keeps idle connections, so that the server never closes one while a request arrives. */
const keepAliveMs = 75_000;
const closeMs = 2000;
const bodyLimits = { bytesMax: 64 * 1024, msMax: 20_000 };

export function createEventsServer(routes: Routes, { onError, isHttps }: EventsServerDeps): EventsServer {
  // The time limits are for requests that never end; an answer may take as long as it takes.
  const limits = {
    keepAliveTimeout: keepAliveMs,
    headersTimeout: 15_000,
    requestTimeout: 60_000,
    connectionsCheckingInterval: 5000,
    maxHeaderSize: headerBytesMax,
    // It is said in JSON what is wrong.
    requireHostHeader: false,
  };
  const server = new EventsServer({ ServerResponse: PollResponse, ...limits });
  const { name, value } = strictTransportSecurity;
  server.on('request', (req, response) => {
    if (isHttps) response.setHeader(name, value);
    if (server.isDraining) response.shouldKeepAlive = false;
    if (req.method !== 'GET') {
      void serveWithBody(routes, response, onError);
      return;
    }
    try {
      route(routes, response, '');
    } catch (error) {
      onError(response, error);
    }
  });
  server.on('clientError', refuseConnection);
  return server;
}

/** A reply is sent when the whole request has arrived, or closes its connection. */
async function serveWithBody(routes: Routes, response: PollResponse, onError: ErrorHandler): Promise<void> {
  try {
    const body = await readBody(response.req, bodyLimits);
    route(routes, response, body.toString('utf8'));
  } catch (error) {
    if (!(await drain(response.req))) response.shouldKeepAlive = false;
    onError(response, error);
  }
}

function route(routes: Routes, response: PollResponse, body: string): void {
  const { method = 'GET', url = '/' } = response.req;
  assertHeadIsValid(response.req);
  const questionMark = url.indexOf('?');
  const path = questionMark === -1 ? url : url.slice(0, questionMark);
  const methods = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (!methods) throw new ApiError('NOT_FOUND', 'Not found');
  const name = method === 'HEAD' ? 'GET' : method;
  const handle = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (handle) return handle(response, questionMark === -1 ? '' : url.slice(questionMark + 1), body);
  const allowed = [...Object.keys(methods), 'HEAD', 'OPTIONS'].sort();
  if (method === 'OPTIONS') {
    response.writeHead(204, [...jsonHeaders.slice(2), 'Allow', allowed.join(', ')]);
    response.end();
  } else sendJson(response, 405, methodNotAllowed(allowed), { Allow: allowed.join(', ') });
}

/** Resolves with the port. */
export async function listen(server: EventsServer, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: 4096 }, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Gives answers under way a moment to reach their clients, then closes every connection. */
export async function closeServer(server: EventsServer): Promise<void> {
  if (!server.listening && !server.isDraining) return;
  const closed = new Promise((resolve) => server.close(resolve));
  const timer = setTimeout(() => server.closeAllConnections(), server.isDraining ? closeMs : 0);
  await closed;
  clearTimeout(timer);
}
