import { EventEmitter } from 'node:events';

import type { Redis } from '@parley/redis';

import { Wire } from '../network.ts';
import type { Place } from '../world.ts';
import { type Argument, commands } from './commands.ts';
import type { Published, RedisServer, RedisSession } from './server.ts';

const commandMsMax = 1000;
const connectMsMax = 1000;
const firstRetryMs = 50;
const retrySpreadMs = 400;

/** What a subscription hears. */
const subscriptions: Readonly<Record<string, Published>> = { subscribe: 'message', ssubscribe: 'smessage' };

interface Pending {
  readonly sentMs: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** One connection, from the moment that it is asked for until it is lost. */
class Link implements RedisSession {
  readonly channels = new Set<string>();
  readonly pending = new Set<Pending>();
  private readonly client: SimulatedClient;
  private readonly server: RedisServer;
  readonly wire: Wire;
  /** The server knows of it. */
  private isHeld = true;
  isReady = false;

  constructor(client: SimulatedClient, server: RedisServer, place: Place) {
    this.client = client;
    this.server = server;
    this.wire = new Wire(server.network, place, server.place);
    this.wire.toFar(() => {
      if (!server.isUp) return this.wire.toNear(() => client.lose(this));
      server.sessions.add(this);
      this.wire.toNear(() => {
        this.isReady = true;
        client.becomeReady();
      });
    });
    server.network.world.after(place, connectMsMax, () => {
      if (!this.isReady) client.lose(this);
    });
  }

  send(name: string, args: readonly Argument[], pending: Pending): void {
    this.pending.add(pending);
    this.wire.toFar(() => {
      if (!this.isHeld) return;
      const answer = (value: unknown) =>
        this.wire.toNear(() => {
          if (this.pending.delete(pending)) pending.resolve(value);
        });
      if (name in subscriptions) {
        for (const channel of args) this.channels.add(`${subscriptions[name]} ${String(channel)}`);
        answer(args.length);
      } else if (name === 'xread') {
        const [, count, , blockMs, , key, after] = args;
        const blocked = {
          session: this,
          key: String(key),
          after: String(after),
          count: Number(count),
          answer,
        };
        this.server.read(blocked, Number(blockMs));
      } else answer(commands[name]?.(this.server, args, this.server.network.world.nowMs));
    });
  }

  receive(kind: Published, channel: string, message: string): void {
    this.wire.toNear(() => this.client.emit(kind, channel, message));
  }

  close(): void {
    this.isHeld = false;
    this.wire.toNear(() => this.client.lose(this));
  }

  /** The near side lets go of it. */
  drop(): void {
    this.wire.isOpen = false;
    this.isReady = false;
    this.server.leave(this);
    for (const { reject } of this.pending) reject(new Error('Connection is closed.'));
    this.pending.clear();
  }
}

/** What stands for a client of ioredis, with the settings of connectRedis. */
class SimulatedClient extends EventEmitter {
  private readonly server: RedisServer;
  private readonly place: Place;
  private readonly isBlocking: boolean;
  private link: Link | null = null;
  /** What it subscribes to again when it has connected again. */
  private readonly subscribed = new Map<string, () => Promise<unknown>>();
  private isWatched = false;
  status = 'connecting';

  constructor(server: RedisServer, place: Place, isBlocking: boolean) {
    super();
    this.setMaxListeners(0);
    this.server = server;
    this.place = place;
    this.isBlocking = isBlocking;
    this.connect();
  }

  private get world() {
    return this.server.network.world;
  }

  private connect(): void {
    if (this.status === 'end') return;
    this.status = 'connecting';
    this.link = new Link(this, this.server, this.place);
  }

  becomeReady(): void {
    this.status = 'ready';
    for (const subscribe of this.subscribed.values()) subscribe().catch(() => undefined);
    this.emit('ready');
  }

  /** A connection is lost: another is opened after a moment. */
  lose(link: Link): void {
    if (this.link !== link) return;
    link.drop();
    this.link = null;
    if (this.status === 'end') return;
    this.status = 'reconnecting';
    this.emit('close');
    this.world.after(this.place, firstRetryMs + this.world.random() * retrySpreadMs, () => this.connect());
  }

  disconnect(isToReconnect = false): void {
    const { link } = this;
    if (!isToReconnect) this.status = 'end';
    if (link) this.lose(link);
  }

  call(name: string, args: readonly Argument[]): Promise<unknown> {
    const { link } = this;
    if (name in subscriptions) this.subscribed.set(`${name} ${args.join(' ')}`, () => this.call(name, args));
    if (this.status !== 'ready' || !link) {
      return Promise.reject(new Error("Stream isn't writeable and enableOfflineQueue options is false"));
    }
    return new Promise((resolve, reject) => {
      link.send(name, args, { sentMs: this.world.nowMs, resolve, reject });
      if (!this.isBlocking) this.watch(link, commandMsMax);
    });
  }

  /** Fails what is not answered in time, and drops the connection, as the pings of connectRedis do. */
  private watch(link: Link, ms: number): void {
    if (this.isWatched) return;
    this.isWatched = true;
    this.world.after(this.place, ms, () => {
      this.isWatched = false;
      const [oldest] = link.pending;
      if (this.link !== link || !oldest) return;
      const waitedMs = this.world.nowMs - oldest.sentMs;
      if (waitedMs >= commandMsMax) this.lose(link);
      else this.watch(link, commandMsMax - waitedMs);
    });
  }
}

const methods = Object.fromEntries(
  [...Object.keys(commands), ...Object.keys(subscriptions), 'xread'].map((name) => [
    name,
    function send(this: SimulatedClient, ...args: readonly Argument[]) {
      return this.call(name, args);
    },
  ]),
);
Object.assign(SimulatedClient.prototype, methods, { defineCommand: () => undefined });

/** Returns what stands for a connection of a place to Redis. */
export function connectSimulated(server: RedisServer, place: Place, isBlocking: boolean): Redis {
  // Safe: it has the commands, the events and the states that the delivery path uses.
  return new SimulatedClient(server, place, isBlocking) as unknown as Redis;
}
