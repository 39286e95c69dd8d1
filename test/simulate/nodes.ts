import { errorReply } from '@parley/http';
import type { Clock, Logger } from '@parley/kit';
import {
  createDatabaseWatch,
  createEphemeralPublisher,
  createFence,
  createPublisher,
  createSender,
  isDatabaseUnavailable,
} from '@parley/log';
import { Exchange, type SocketlessNode, createSocketlessNode } from '@parley/queue';
import { createRegistry, createSigner } from '@parley/redis';

import { createSimulatedSql } from './postgres/client.ts';
import type { SimulatedPostgres } from './postgres/server.ts';
import { connectSimulated } from './redis/client.ts';
import type { RedisServer } from './redis/server.ts';
import type { Place, World } from './world.ts';

export const secret = 'a secret of the simulation';
const secrets = [secret] as const;
const partitions = 1;
const hosts = { baseHost: 'chat.example', rootRealm: 'realm1' };

/** What a request is answered with. */
export interface Reply {
  status: number;
  retryAfter: string | null;
  body: string;
}

/** What nodes run in. */
export interface Surroundings {
  world: World;
  postgres: SimulatedPostgres;
  redis: RedisServer;
  logger: Logger;
}

/** A process of the deployment. */
export interface Node extends AsyncDisposable {
  readonly role: 'api' | 'queue';
  readonly place: Place;
  /** Closes its connections to Postgres. */
  readonly cutSql: () => void;
}

const clockOf = (world: World, skewMs: number): Clock => ({ nowMs: () => Math.floor(world.nowMs) + skewMs });

/** A request to a queue node. */
interface PolledFor {
  method: string;
  url: string;
  realmId: number;
  authorization: string;
}

/** A request for events, as if a socket had brought it. */
class SimulatedExchange extends Exchange {
  readonly remoteAddress = '192.0.2.1';
  private readonly onReply: (reply: Reply) => void;

  constructor({ method, url, realmId, authorization }: PolledFor, onReply: (reply: Reply) => void) {
    super();
    this.head.method = method;
    this.head.url = url;
    this.head.host = `realm${realmId}.${hosts.baseHost}`;
    this.head.authorization = authorization;
    this.onReply = onReply;
  }

  protected write(status: number, headers: string, body: string): void {
    const retryAfter = /^retry-after: (.*)\r$/im.exec(headers)?.[1] ?? null;
    this.onReply({ status, retryAfter, body });
  }
}

/** A queue node without its sockets. */
export class QueueNode implements Node {
  readonly role = 'queue';
  readonly place: Place;
  readonly cutSql: () => void;
  private readonly node: SocketlessNode;
  private readonly watch: AsyncDisposable;

  constructor({ world, postgres, redis, logger }: Surroundings, place: Place, skewMs: number) {
    this.place = place;
    const [pool, watch] = [createSimulatedSql(postgres, place, 2), createSimulatedSql(postgres, place, 1)];
    this.cutSql = () => [pool, watch].forEach((one) => one.cut());
    const database = createDatabaseWatch(watch.sql, logger);
    this.watch = database;
    this.node = createSocketlessNode({
      sql: pool.sql,
      database,
      connectRedis: ({ blocking }) => connectSimulated(redis, place, blocking),
      logger,
      clock: clockOf(world, skewMs),
      secrets,
      hosts,
      baseUrl: 'http://chat.example',
      partitions,
      options: {
        drainMs: 500,
        tail: { entries: 12, bytes: 100_000 },
        ringEntriesMax: 16,
        ringTotalBytesMax: 12_000,
        ringAgeMs: 3000,
        pollsLogged: 0,
      },
    });
  }

  /** Serves a request. Returns what gives it up. */
  serve(polled: PolledFor, onReply: (reply: Reply) => void): () => void {
    const exchange = new SimulatedExchange(polled, onReply);
    this.node.serve(exchange);
    return () => this.node.giveUp(exchange);
  }

  drain(): Promise<void> {
    return this.node.drain();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await disposeOf([this.node, this.watch]);
  }
}

/**
 * Ends parts of a node. None waits for another: in a place that is dead nothing that one waits for comes, and what the others
 * measure would keep all of their world in memory.
 */
const disposeOf = (parts: readonly AsyncDisposable[]) =>
  Promise.all(parts.map((part) => part[Symbol.asyncDispose]()));

/** What of an api node is on the way of a message: as createEngine and compose put it together. */
export function createApiParts(
  { world, postgres, redis, logger }: Surroundings,
  place: Place,
  skewMs: number,
) {
  const [pool, watchPool] = [createSimulatedSql(postgres, place, 3), createSimulatedSql(postgres, place, 1)];
  const { sql } = pool;
  const clock = clockOf(world, skewMs);
  const connection = connectSimulated(redis, place, false);
  const signer = createSigner(secrets);
  const fence = createFence({ sql, logger });
  const carrier = createPublisher({ redis: connection, signer, clock, logger, partitions });
  const publisher: typeof carrier = {
    publish(realmId, appended) {
      fence.remember(realmId, appended);
      carrier.publish(realmId, appended);
    },
  };
  const watch = createDatabaseWatch(watchPool.sql, logger, { onOtherServer: () => fence.claimAll() });
  return {
    sql,
    clock,
    publisher,
    sender: createSender({ sql, publisher }),
    ephemerals: createEphemeralPublisher({ sql, redis: connection, signer, logger, partitions, publisher }),
    registry: createRegistry(connection, signer, clock),
    watch,
    cutSql: () => [pool, watchPool].forEach((one) => one.cut()),
    async dispose() {
      connection.disconnect();
      await disposeOf([fence, watch]);
    },
  };
}

export type ApiParts = ReturnType<typeof createApiParts>;

/** Returns the documented reply to whatever was thrown. */
export function refusalOf(error: unknown): Reply {
  const { status, headers, body } = errorReply(error, isDatabaseUnavailable);
  return { status, retryAfter: headers['Retry-After'] ?? null, body: JSON.stringify(body) };
}
