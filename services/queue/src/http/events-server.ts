import { type ServerResponse, createServer as createHttpServer } from 'node:http';
import { type AddressInfo, type Socket, createServer } from 'node:net';

import { headerBytesMax, refuseConnection, strictTransportSecurity } from '@parley/http';
import type { Clock } from '@parley/kit';

import { Connection, type ConnectionDeps } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { NodeExchange } from './node-exchange.ts';
import { createReplyHead, keepAliveMs } from './reply-head.ts';
import { type UnsentBytes, createUnsentBytes } from './unsent-bytes.ts';

export interface EventsServer {
  /** Resolves with the port. */
  listen(port: number, host: string): Promise<number>;
  /**
   * Stops accepting. From now on every answer closes its connection. Those that idle stay open: a proxy may be about to
   * ask on them.
   */
  drain(): void;
  /** Gives answers under way a moment to reach their clients, then closes every connection. */
  close(): Promise<void>;
}

export interface EventsServerDeps {
  /** Handles a request whose method is GET. */
  readonly onExchange: (exchange: Exchange) => void;
  /** Handles a request that node:http has read, with what may be its body. */
  readonly onNodeExchange: (exchange: NodeExchange) => void;
  /** The client of a request that was not answered is gone. */
  readonly onGone: (exchange: Exchange) => void;
  /** Whether clients reach it by TLS. */
  isHttps: boolean;
  clock: Clock;
  unsent?: UnsentBytes;
}

const closeMs = 2000;
const sweepMs = 5000;
/** The head of a request has to arrive within this time. */
const arrivalMs = 15_000;
/** A client has to take its answer within this time. */
const takingMs = 60_000;

/**
 * Serves HTTP/1.1. Plain GET requests, as nearly all are, are parsed by a small parser of our own; a connection with
 * anything else is handed over to node:http, which answers and closes it. What node:http alone would do is what
 * `reference-server.test-support.ts` does: the same tests run on both.
 */
export const createEventsServer = (deps: EventsServerDeps): EventsServer => new SocketServer(deps);

class SocketServer implements EventsServer {
  private readonly deps: EventsServerDeps;
  private readonly connections = new Set<Connection>();
  /** What the connections share. */
  private readonly shared: ConnectionDeps;
  /** Accepts connections. A client that has closed its half waits for nothing: the socket ends by itself. */
  private readonly server = createServer({ noDelay: true }, (socket) => {
    this.connections.add(new Connection(socket, this.shared));
  });
  /** Serves the connections that are handed over. */
  private readonly http = createHttpServer({ maxHeaderSize: headerBytesMax, requireHostHeader: false });
  /** Sockets that were handed over and on which no request has arrived. */
  private readonly arriving = new WeakSet<object>();
  private timer: NodeJS.Timeout | undefined;
  private closed: Promise<unknown> | undefined;

  constructor(deps: EventsServerDeps) {
    const { name, value } = strictTransportSecurity;
    this.deps = deps;
    this.shared = {
      clock: deps.clock,
      replyHead: createReplyHead(deps.isHttps ? { [name]: value } : {}),
      unsent: deps.unsent ?? createUnsentBytes(),
      isDraining: false,
      onExchange: deps.onExchange,
      onGone: deps.onGone,
      takeOver: ({ socket }, unread) => this.takeOver(socket, unread),
      onClose: (connection) => {
        this.connections.delete(connection);
        this.shared.unsent.closed(connection.socket);
      },
    };
    this.http.on('request', (incoming, response: ServerResponse) => {
      this.arriving.delete(incoming.socket);
      if (deps.isHttps) response.setHeader(name, value);
      const exchange = new NodeExchange(incoming, response, this.shared.unsent);
      // The client's next request is parsed by the quick parser again.
      exchange.isLast = true;
      response.on('close', () => {
        if (exchange.isOpen) deps.onGone(exchange);
      });
      deps.onNodeExchange(exchange);
    });
    this.http.on('clientError', refuseConnection);
  }

  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen({ port, host, backlog: 4096 }, resolve);
    });
    this.timer = setInterval(() => this.sweep(), sweepMs);
    this.timer.unref();
    // Safe: it listens on a port.
    return (this.server.address() as AddressInfo).port;
  }

  drain(): void {
    this.shared.isDraining = true;
    void this.stopAccepting();
  }

  async close(): Promise<void> {
    if (!this.server.listening && !this.shared.isDraining) return;
    const closed = this.stopAccepting();
    const closeAll = () => {
      for (const { socket } of this.connections) socket.destroy();
    };
    const closing = setTimeout(closeAll, this.shared.isDraining ? closeMs : 0);
    await closed;
    clearTimeout(closing);
    clearInterval(this.timer);
  }

  private stopAccepting(): Promise<unknown> {
    this.closed ??= new Promise((resolve) => this.server.close(resolve));
    return this.closed;
  }

  /** Lets node:http serve a connection, beginning with bytes that were read already. */
  private takeOver(socket: Socket, unread: Buffer): void {
    this.arriving.add(socket);
    socket.pause();
    socket.unshift(unread);
    this.http.emit('connection', socket);
    socket.resume();
  }

  /** One timer for all connections. Requests that wait for events are not among what it looks for. */
  private sweep(): void {
    const nowMs = this.deps.clock.nowMs();
    for (const { socket, sinceMs, isIdle, isHandedOver, isUsed } of this.connections) {
      const ms = nowMs - sinceMs;
      if (isHandedOver) {
        if (ms > arrivalMs && this.arriving.has(socket)) refuseConnection(tooSlow(), socket);
      } else if (socket.writableLength > 0) {
        if (ms > takingMs) socket.destroy();
      } else if (isIdle && ms > (isUsed ? keepAliveMs : arrivalMs)) socket.destroy();
    }
  }
}

const tooSlow = () => Object.assign(new Error('Too slow.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
