import { Socket } from 'node:net';

import type { Clock } from '@parley/kit';

import type { WireText } from '../core/wire-text.ts';
import { Exchange } from './exchange.ts';
import { readHead } from './read-head.ts';
import type { ReplyHead } from './reply-head.ts';
import type { UnsentBytes } from './unsent-bytes.ts';

/** What connections share. */
export interface ConnectionDeps {
  clock: Clock;
  replyHead: ReplyHead;
  unsent: UnsentBytes;
  /** Set while the server drains: every answer closes its connection. */
  isDraining: boolean;
  /** Handles a request. */
  onExchange(exchange: Exchange): void;
  /** The client of a request that was not answered is gone. */
  onGone(exchange: Exchange): void;
  /** Takes the connection over, with bytes of it that were read and not understood. */
  takeOver(connection: Connection, unread: Buffer): void;
  onClose(connection: Connection): void;
}

/** Bytes that a client may send ahead while its request is answered. */
const aheadBytesMax = 128 * 1024;

const key = Symbol('connection');
interface OwnSocket extends Socket {
  [key]: Connection;
}

/**
 * A client's connection. It reads plain requests, one after the other, and hands over to node:http at the first one
 * that is not plain.
 */
export class Connection {
  readonly socket: Socket;
  readonly deps: ConnectionDeps;
  /** The request that is being answered. */
  exchange: SocketExchange | null = null;
  /** When the last answer was sent, or the connection began. */
  sinceMs: number;
  /** It has been handed over. */
  isHandedOver = false;
  /** A request has arrived on it. */
  isUsed = false;
  /** Bytes behind the request that is being answered. */
  private ahead: Buffer | null = null;
  /** The client has not taken the last answer yet. */
  private isFull = false;
  private isReading = false;
  /** A request that was answered, for the next one. */
  private spare: SocketExchange | null = null;

  constructor(socket: Socket, deps: ConnectionDeps) {
    this.socket = socket;
    this.deps = deps;
    this.sinceMs = deps.clock.nowMs();
    // Safe: this is where the property comes from. The listeners are shared by all connections, and find theirs by it.
    (socket as OwnSocket)[key] = this;
    socket.push = onPush;
    // The stream has to flow, even though what it reads goes past it.
    socket.resume();
    socket.on('error', onError);
    socket.on('close', onClose);
  }

  /** Neither a request nor a part of one is there, and no answer is under way. */
  get isIdle(): boolean {
    return !this.exchange && !this.isFull && !this.isHandedOver;
  }

  receive(chunk: Buffer): void {
    if (!this.exchange && !this.isFull && !this.ahead) {
      this.read(chunk);
      return;
    }
    const bytes = this.ahead ? Buffer.concat([this.ahead, chunk]) : chunk;
    if (bytes.length > aheadBytesMax) this.socket.destroy();
    else this.ahead = bytes;
  }

  /** Answers the request that is being answered. */
  reply(head: string, body: WireText, isLast: boolean): void {
    // The next one begins in another turn, unless a part of it is here already.
    if (!this.ahead && this.exchange?.mayBeginAgain) this.spare = this.exchange;
    this.exchange = null;
    this.sinceMs = this.deps.clock.nowMs();
    if (!this.socket.write(head + body, 'latin1')) {
      this.isFull = true;
      this.socket.once('drain', onDrain);
    }
    this.deps.unsent.written(this.socket);
    if (isLast) {
      this.ahead = null;
      this.socket.end();
    } else this.goOn();
  }

  /** Reads what has arrived ahead, request by request, until one of them is not answered at once. */
  goOn(): void {
    if (this.isReading) return;
    this.isReading = true;
    while (this.ahead && !this.exchange && !this.isFull && !this.socket.destroyed) {
      const bytes = this.ahead;
      this.ahead = null;
      this.read(bytes);
    }
    this.isReading = false;
  }

  drained(): void {
    this.isFull = false;
    this.goOn();
  }

  closed(): void {
    const { exchange } = this;
    this.exchange = null;
    this.ahead = null;
    if (exchange) this.deps.onGone(exchange);
    this.deps.onClose(this);
  }

  private read(chunk: Buffer): void {
    const exchange = this.spare ?? new SocketExchange(this);
    if (exchange === this.spare) exchange.begin();
    this.spare = null;
    const end = readHead(chunk.toString('latin1'), exchange.head);
    if (end === null) {
      this.handOver(chunk);
      return;
    }
    this.isUsed = true;
    const isWhole = end === chunk.length;
    if (!isWhole) this.ahead = chunk.subarray(end);
    this.exchange = exchange;
    this.deps.onExchange(exchange);
    if (!isWhole) this.goOn();
  }

  private handOver(unread: Buffer): void {
    const { socket } = this;
    this.isHandedOver = true;
    this.sinceMs = this.deps.clock.nowMs();
    Reflect.deleteProperty(socket, 'push');
    this.deps.takeOver(this, unread);
  }
}

/** A request that came over a connection's own parser. */
class SocketExchange extends Exchange {
  private readonly connection: Connection;

  constructor(connection: Connection) {
    super();
    this.connection = connection;
  }

  get remoteAddress(): string | undefined {
    return this.connection.socket.remoteAddress;
  }

  protected write(status: number, headers: string, body: WireText): void {
    const { deps } = this.connection;
    const isLast = this.isLast || deps.isDraining;
    const head = deps.replyHead(status, headers, body.length, isLast, deps.clock.nowMs());
    this.connection.reply(head, body, isLast);
  }
}

/**
 * What a socket's handle has read goes right to the connection, past the buffer of the stream, which is empty whenever
 * it arrives. No documentation says that Node calls `push` for it: `sockets-work.ts` tries it when a node starts.
 */
function onPush(this: Socket, chunk: Buffer | null, encoding?: BufferEncoding): boolean {
  if (chunk === null) return Socket.prototype.push.call(this, chunk, encoding);
  (this as OwnSocket)[key].receive(chunk);
  return true;
}

function onDrain(this: Socket): void {
  (this as OwnSocket)[key].drained();
}

function onClose(this: Socket): void {
  (this as OwnSocket)[key].closed();
}

/** The connection closes by itself after it. */
function onError(): void {}
