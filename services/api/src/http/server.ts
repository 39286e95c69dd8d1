import { type Server, createServer } from 'node:http';
import { Server as TcpServer } from 'node:net';

import { type HttpBindings, getRequestListener } from '@hono/node-server';
import {
  assertHeadIsValid,
  drain,
  headerBytesMax,
  refuseConnection,
  requestIdHeader,
  requestIdOf,
  strictTransportSecurity,
} from '@parley/http';
import { ApiError } from '@parley/protocol';

export interface Application {
  fetch(request: Request, bindings: HttpBindings): Response | Promise<Response>;
  /** Whether clients reach it by TLS, as its address says. */
  isHttps: boolean;
  /** The reply to a request that does not reach the application. */
  refuse(error: unknown): Response;
}

/** The server of an api node. */
export interface ApiServer extends Server {
  /**
   * Accepts no new connections and answers what is asked on the present ones, each of which ends with its next reply,
   * or idle after `idleMs`. Calls `ended` when none is left. So no request is lost that a proxy has sent already, if it
   * keeps idle connections no longer than that.
   */
  drain(idleMs: number, ended: () => void): void;
}

/** Longer than a proxy keeps idle connections, so that the server never closes one while a request is on its way. */
const keepAliveMs = 75_000;

/**
 * Creates the HTTP server of an api node; it does not listen yet. A reply is sent when the whole request has arrived,
 * or closes its connection: a refusal leaves nothing on the connection that the next request would be taken for.
 */
export function createApiServer(application: Application): ApiServer {
  const limits = {
    keepAliveTimeout: keepAliveMs,
    headersTimeout: 15_000,
    // Long enough for an upload. Other bodies have a limit of their own.
    requestTimeout: 300_000,
    connectionsCheckingInterval: 5000,
    maxHeaderSize: headerBytesMax,
    // The application says in JSON what is wrong.
    requireHostHeader: false,
  };
  const answer = async (request: Request, bindings: HttpBindings) => {
    const response = await ask(application, request, bindings);
    if (!(await drain(bindings.incoming))) bindings.outgoing.shouldKeepAlive = false;
    return response;
  };
  const listener = getRequestListener((request, bindings) => answer(request, bindings as HttpBindings), {
    autoCleanupIncoming: false,
    // The address is one that no URL can have.
    errorHandler: () => application.refuse(new ApiError('BAD_REQUEST', 'The address is malformed.')),
  });
  const { name, value } = strictTransportSecurity;
  let isDraining = false;
  const server = createServer(limits, (incoming, outgoing) => {
    if (isDraining) outgoing.shouldKeepAlive = false;
    if (application.isHttps) outgoing.setHeader(name, value);
    outgoing.setHeader(requestIdHeader, requestIdOf(incoming.headers['x-request-id']));
    void listener(incoming, outgoing);
  });
  server.on('clientError', refuseConnection);
  return Object.assign(server, {
    drain(idleMs: number, ended: () => void) {
      isDraining = true;
      // The server's own `close` would end idle connections, on which a proxy may be about to ask.
      TcpServer.prototype.close.call(server, ended);
      setTimeout(() => {
        server.closeIdleConnections();
        setInterval(() => server.closeIdleConnections(), 100).unref();
      }, idleMs).unref();
    },
  });
}

async function ask(application: Application, request: Request, bindings: HttpBindings): Promise<Response> {
  try {
    assertHeadIsValid({ host: bindings.incoming.headers.host, url: bindings.incoming.url ?? '/' });
    return await application.fetch(request, bindings);
  } catch (error) {
    return application.refuse(error);
  }
}
