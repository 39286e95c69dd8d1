import { type IncomingMessage, Server } from 'node:http';

import { headerBytesMax, jsonHeaders, methodNotAllowed, refuseConnection } from '@parley/http';
import { ApiError } from '@parley/protocol';

import { Asking } from './poll-response.ts';
import { sendJson } from './reply.ts';

export class EventsServer extends Server<typeof IncomingMessage, typeof Asking> {
  /** Every answer closes its connection. */
  isDraining = false;
}

export type Handle = (res: Asking, query: string) => void;
/** Handlers by path and method. */
type Routes = Readonly<Record<string, Readonly<Record<string, Handle>>>>;

export interface EventsServerNeeds {
  routes: Routes;
  onError(res: Asking, error: unknown): void;
}

/** Longer than a proxy keeps its idle connections, so that it is never the server who closes one under a request. */
const keepAliveMs = 75_000;
const closeMs = 2000;

export function createEventsServer({ routes, onError }: EventsServerNeeds): EventsServer {
  // The time limits are for requests that never end; an answer may take as long as it takes.
  const limits = {
    keepAliveTimeout: keepAliveMs,
    headersTimeout: 30_000,
    requestTimeout: 60_000,
    maxHeaderSize: headerBytesMax,
  };
  const server = new EventsServer({ ServerResponse: Asking, ...limits });
  server.on('request', (_, res) => {
    if (server.isDraining) res.shouldKeepAlive = false;
    try {
      route(routes, res);
    } catch (error) {
      onError(res, error);
    }
  });
  server.on('clientError', refuseConnection);
  return server;
}

function route(routes: Routes, res: Asking): void {
  const { method = 'GET', url = '/' } = res.req;
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const methods = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (!methods) throw new ApiError('NOT_FOUND', 'Not found');
  const served = method === 'HEAD' ? 'GET' : method;
  const handle = Object.hasOwn(methods, served) ? methods[served] : undefined;
  if (handle) return handle(res, mark === -1 ? '' : url.slice(mark + 1));
  const allowed = [...Object.keys(methods), 'HEAD', 'OPTIONS'].sort();
  if (method === 'OPTIONS') {
    res.writeHead(204, [...jsonHeaders.slice(2), 'Allow', allowed.join(', ')]);
    res.end();
  } else sendJson(res, 405, methodNotAllowed(allowed), { Allow: allowed.join(', ') });
}

/** Lets answers under way reach their clients for a moment, then closes whatever is left. */
export async function closeServer(server: EventsServer): Promise<void> {
  if (!server.listening && !server.isDraining) return;
  const closed = new Promise((resolve) => server.close(resolve));
  const timer = setTimeout(() => server.closeAllConnections(), server.isDraining ? closeMs : 0);
  await closed;
  clearTimeout(timer);
}
