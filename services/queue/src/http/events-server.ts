import { type ServerResponse, createServer as createHttpServer } from 'node:http';
import { type AddressInfo, type Server, createServer } from 'node:net';

import { headerBytesMax, refuseConnection, strictTransportSecurity } from '@parley/http';
import type { Clock } from '@parley/kit';

import { Connection, type ConnectionDeps } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { NodeExchange } from './node-exchange.ts';
import { createReplyHead, keepAliveMs } from './reply-head.ts';

export interface EventsServer {
  /** Resolves with the port. */
  readonly listen: (port: number, host: string) => Promise<number>;
  /**
   * Stops accepting. From now on every answer closes its connection. Those that idle stay open: a proxy may be about to
   * ask on them.
   */
  drain(): void;
  /** Gives answers under way a moment to reach their clients, then closes every connection. */
  close(): Promise<void>;
}

interface EventsServerDeps {
  /** Handles a request whose method is GET. */
  readonly onExchange: (exchange: Exchange) => void;
  /** Handles a request that node:http has read, with what may be its body. */
  onNodeExchange(exchange: NodeExchange): void;
  /** The client of a request that was not answered is gone. */
  readonly onGone: (exchange: Exchange) => void;
  /** Whether clients reach it by TLS. */
  isHttps: boolean;
  clock: Clock;
}

const closeMs = 2000;
const sweepMs = 5000;
/** The head of a request has to arrive within this time. */
const arrivalMs = 15_000;
/** A client has to take its answer within this time. */
const takingMs = 60_000;

/**
 * Serves HTTP/1.1. Plain GET requests, as nearly all are, are read by a small reader of our own; a connection with
 * anything else is handed over to node:http, which answers and closes it.
 */
export function createEventsServer(deps: EventsServerDeps): EventsServer {
  const { clock } = deps;
  const { name, value } = strictTransportSecurity;
  const connections = new Set<Connection>();
  /** Sockets that were handed over and on which no request has arrived. */
  const arriving = new WeakSet<object>();
  const http = createHttpServer({ maxHeaderSize: headerBytesMax, requireHostHeader: false });
  http.on('request', (incoming, response: ServerResponse) => {
    arriving.delete(incoming.socket);
    if (deps.isHttps) response.setHeader(name, value);
    const exchange = new NodeExchange(incoming, response);
    response.on('close', () => {
      if (exchange.isOpen) deps.onGone(exchange);
    });
    deps.onNodeExchange(exchange);
  });
  http.on('clientError', refuseConnection);

  const shared: ConnectionDeps = {
    clock,
    replyHead: createReplyHead(deps.isHttps ? { [name]: value } : {}),
    isDraining: false,
    onExchange: deps.onExchange,
    onGone: deps.onGone,
    takeOver({ socket }, unread) {
      arriving.add(socket);
      socket.pause();
      socket.unshift(unread);
      http.emit('connection', socket);
      socket.resume();
    },
    onClose: (connection) => connections.delete(connection),
  };
  // A client that has closed its half waits for nothing: the socket ends by itself.
  const server: Server = createServer({ noDelay: true }, (socket) => {
    connections.add(new Connection(socket, shared));
  });

  /** One timer for all connections. Requests that wait for events are not among what it looks for. */
  function sweep(): void {
    const nowMs = clock.nowMs();
    for (const { socket, sinceMs, isIdle, isHandedOver, isUsed } of connections) {
      const ms = nowMs - sinceMs;
      if (isHandedOver) {
        if (ms > arrivalMs && arriving.has(socket)) refuseConnection(tooSlow(), socket);
      } else if (socket.writableLength > 0) {
        if (ms > takingMs) socket.destroy();
      } else if (isIdle && ms > (isUsed ? keepAliveMs : arrivalMs)) socket.destroy();
    }
  }

  let timer: NodeJS.Timeout | undefined;
  let isClosed: Promise<unknown> | undefined;
  const stopAccepting = () => (isClosed ??= new Promise((resolve) => server.close(resolve)));

  return {
    async listen(port, host) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port, host, backlog: 4096 }, resolve);
      });
      timer = setInterval(sweep, sweepMs);
      timer.unref();
      // Safe: it listens on a port.
      return (server.address() as AddressInfo).port;
    },
    drain() {
      shared.isDraining = true;
      void stopAccepting();
    },
    async close() {
      if (!server.listening && !shared.isDraining) return;
      const closed = stopAccepting();
      const closeAll = () => {
        for (const { socket } of connections) socket.destroy();
      };
      const closing = setTimeout(closeAll, shared.isDraining ? closeMs : 0);
      await closed;
      clearTimeout(closing);
      clearInterval(timer);
    },
  };
}

const tooSlow = () => Object.assign(new Error('Too slow.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
