import { type IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { headerBytesMax, jsonHeaders, methodNotAllowed, refuseConnection } from '@parley/http';
import { ApiError } from '@parley/protocol';

import type { ErrorHandler } from './error-handler.ts';
import { PollResponse } from './poll-response.ts';
import { sendJson } from './send-json.ts';

export class EventsServer extends Server<typeof IncomingMessage, typeof PollResponse> {
  /** While the server drains, every answer closes its connection. */
  isDraining = false;
}

export type Handle = (response: PollResponse, query: string) => void;
/** Handlers by path and method. */
type Routes = Readonly<Record<string, Readonly<Record<string, Handle>>>>;

/** Longer than a proxy keeps idle connections, so that the server never closes one while a request arrives. */
const keepAliveMs = 75_000;
const closeMs = 2000;

export function createEventsServer(routes: Routes, onError: ErrorHandler): EventsServer {
  // The time limits are for requests that never end; an answer may take as long as it takes.
  const limits = {
    keepAliveTimeout: keepAliveMs,
    headersTimeout: 30_000,
    requestTimeout: 60_000,
    maxHeaderSize: headerBytesMax,
  };
  const server = new EventsServer({ ServerResponse: PollResponse, ...limits });
  server.on('request', (_, response) => {
    if (server.isDraining) response.shouldKeepAlive = false;
    try {
      route(routes, response);
    } catch (error) {
      onError(response, error);
    }
  });
  server.on('clientError', refuseConnection);
  return server;
}

function route(routes: Routes, response: PollResponse): void {
  const { method = 'GET', url = '/' } = response.req;
  const questionMark = url.indexOf('?');
  const path = questionMark === -1 ? url : url.slice(0, questionMark);
  const methods = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (!methods) throw new ApiError('NOT_FOUND', 'Not found');
  const name = method === 'HEAD' ? 'GET' : method;
  const handle = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (handle) return handle(response, questionMark === -1 ? '' : url.slice(questionMark + 1));
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
