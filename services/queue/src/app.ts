import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import { type Hosts, createClientAddress } from '@parley/http';
import { type Clock, type Logger, type Network, type Secrets, every, pause } from '@parley/kit';
import {
  type Credentials,
  type DatabaseWatch,
  type Sql,
  type SqlServers,
  appendRoom,
  beginningOf,
  createAudiences,
  createFence,
  createFollower,
  createSchemaCheck,
  findCredentials,
  oneServer,
  readHeads,
  readLog,
  readTerm,
} from '@parley/log';
import {
  type Redis,
  type Registry,
  type Signer,
  createLocalRateLimiter,
  createRegistry,
  createSigner,
  listenForControl,
  listenForEphemerals,
} from '@parley/redis';

import { type QueueNodeOptions, queueNodeDefaults } from './config.ts';
import { type CoarseClock, createCoarseClock } from './core/coarse-clock.ts';
import { type Polls, createPolls } from './core/polls.ts';
import { createDeleteEvents } from './http/delete-events.ts';
import { drainPolls } from './http/drain-polls.ts';
import { createErrorHandler } from './http/error-handler.ts';
import { createEventsHandler } from './http/events-handler.ts';
import { createEventsServer } from './http/events-server.ts';
import type { Exchange } from './http/exchange.ts';
import { createGetEvents } from './http/get-events.ts';
import type { NodeExchange } from './http/node-exchange.ts';
import { createPollAnswer } from './http/poll-answer.ts';
import { createReady } from './http/ready.ts';
import { createRealmOfHostCache } from './http/realm-of-host-cache.ts';
import { createRouter } from './http/route.ts';
import { createSampler } from './http/sampler.ts';
import { sendJson } from './http/send-json.ts';
import { createSessionParser } from './http/session-parser.ts';
import { deliverRuns } from './log/deliver-runs.ts';
import { createLogEntryParser } from './log/log-entry-parser.ts';
import { createOldLog } from './log/old-log.ts';
import { createPositions } from './log/positions.ts';
import { type Realms, createRealms } from './log/realms.ts';
import { createRoomMaker } from './log/room-maker.ts';
import { createUnreadLog } from './log/unread-log.ts';
import { measureQueueNode } from './metrics.ts';
import { createCredentialsStore } from './queues/credentials-store.ts';
import { queueControl } from './queues/queue-control.ts';
import { type Queues, createQueues } from './queues/queues.ts';

export interface QueueNodeDeps {
  sql: Sql;
  /** The servers that hold realms, where there may be several. */
  servers?: SqlServers;
  database: DatabaseWatch;
  /** Opens a connection; the node closes it. */
  readonly connectRedis: (options: { name: string; blocking: boolean; sharded?: boolean }) => Redis;
  logger: Logger;
  clock: Clock;
  secrets: Secrets;
  hosts: Hosts;
  baseUrl: string;
  partitions: number;
  /** Proxies whose X-Forwarded-For counts; undefined for whoever connects from a private address. */
  trustedProxies?: readonly Network[] | undefined;
  options?: Partial<QueueNodeOptions>;
}

export interface QueueNode extends AsyncDisposable {
  /** Resolves with the port. */
  listen(port: number, host: string): Promise<number>;
  /** Stops accepting, and answers every waiting poll with a heartbeat: its client comes back to another node. */
  drain(): Promise<void>;
}

/** A queue node without its sockets. Whoever has read a request hands it over. */
export interface SocketlessNode extends AsyncDisposable {
  /** Handles a request whose method is GET. */
  readonly serve: (exchange: Exchange) => void;
  /** Handles a request that node:http has read, with what may be its body. */
  readonly serveNode: (exchange: NodeExchange) => void;
  /** The client of a request that was not answered is gone. */
  readonly giveUp: (exchange: Exchange) => void;
  /** Lets no request wait any more, and answers every waiting poll with a heartbeat. */
  drain(): Promise<void>;
}

/** Polls measure time in ticks of this length. */
const tickMs = 250;
const dataLossCheckMs = 500;
const renewMs = 2000;
const sweepMs = 5000;

/** Assembles a queue node and opens its connections to Redis. It accepts requests once it listens. */
export function createQueueNode(deps: QueueNodeDeps): QueueNode {
  const clock = createCoarseClock(deps.clock);
  const node = createSocketlessNode(deps, clock);
  const server = createEventsServer({
    onExchange: node.serve,
    onNodeExchange: node.serveNode,
    onGone: node.giveUp,
    isHttps: isHttps(deps),
    clock,
  });
  return {
    listen: (port, host) => server.listen(port, host),
    async drain() {
      server.drain();
      await node.drain();
      await server.close();
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await node[Symbol.asyncDispose]();
    },
  };
}

/** Assembles all of a queue node but its sockets, and opens its connections to Redis. The node moves the clock. */
export function createSocketlessNode(
  deps: QueueNodeDeps,
  clock: CoarseClock = createCoarseClock(deps.clock),
): SocketlessNode {
  const { sql, servers = oneServer(sql), database, connectRedis, logger, secrets } = deps;
  const options = { ...queueNodeDefaults, ...deps.options };
  // Operators know a node by its process.
  const nodeId = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const stopping = new AbortController();
  const redis = connectRedis({ name: 'queue', blocking: false });

  const signer = createSigner(secrets);
  const credentials = createCredentialsStore({ read: createCredentialsReader(servers), secrets });
  const registry = createRegistry(redis, signer, clock);
  const logs = createLogs(deps, { options, servers, clock, signer, registry, signal: stopping.signal });
  const { audiences, realms, unreadLog, positions } = logs;
  const queues = createQueues({ registry, clock, logger, nodeId, positions });

  const rateLimiter = createLocalRateLimiter(options.rateLimit, clock);
  const logged = createSampler(options.pollsLogged);
  const answer = createPollAnswer({ queues, rateLimiter, logger, logged, clock });
  const polls = createPolls<Exchange>({
    sets: audiences,
    limits: options,
    nowMs: clock.nowMs(),
    onRoomWanted: createRoomMaker({
      append: async (realmId) => appendRoom(await servers.sqlOf(realmId), realmId),
      logger,
    }),
    answer,
  });
  const onError = createErrorHandler({
    logger,
    logged,
    clock,
    clientAddress: createClientAddress(deps.trustedProxies),
  });
  const parts = { queues, credentials, realms, polls, rateLimiter, clock, onError };
  const handler = createEventsHandler({ ...parts, database, servers, unreadLog });
  realms.listen(deliverRuns({ credentials, polls, handle: (exchange) => handler.handle(exchange) }));

  const routes = createRoutes(deps, {
    ...parts,
    handler,
    heartbeat: { minMs: options.heartbeatMinMs + tickMs, spreadMs: options.heartbeatSpreadMs },
    isDraining: () => isDraining,
  });
  let isDraining = false;
  const router = createRouter(routes, onError);

  const running = [
    ...startListening(deps, { nodeId, signer, queues, polls, realms }),
    ...startTimers(logger, clock, options.ringAgeMs, { queues, polls, realms }),
  ];

  return {
    serve: router.serve,
    serveNode: router.serveNode,
    giveUp: (exchange) => handler.giveUp(exchange),
    async drain() {
      isDraining = true;
      handler.stopWaiting();
      await drainPolls(polls, options.drainMs);
      await queues.finish();
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      for (const disposable of running) disposable[Symbol.dispose]();
      await logs[Symbol.asyncDispose]();
      redis.disconnect();
    },
  };
}

/** Reads credentials from each server that holds some of the realms. One that does not answer is no other's business. */
const createCredentialsReader =
  (servers: SqlServers) =>
  async (realmOf: ReadonlyMap<number, number>): Promise<Map<number, Credentials | Error>> => {
    const shares = await servers.byServer([...new Set(realmOf.values())]);
    const areSeveral = await servers.areSeveral;
    const found = await Promise.all(
      shares.map(async ({ realmIds, ask }) => {
        const isHeld = new Set(realmIds);
        const userIds = [...realmOf].flatMap(([userId, realmId]) => (isHeld.has(realmId) ? [userId] : []));
        return await ask((sql) =>
          findCredentials(sql, userIds, areSeveral ? [...realmIds] : undefined),
        ).catch((error: unknown) => new Map(userIds.map((userId) => [userId, asError(error)])));
      }),
    );
    return new Map(found.flatMap((one): [number, Credentials | Error][] => [...one]));
  };

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

interface ServedPolls {
  queues: Queues;
  polls: Polls<Exchange>;
  realms: Realms;
}

/** What other nodes and ephemeral events have to say reaches the node until these are disposed. */
function startListening(
  { connectRedis, logger, partitions }: QueueNodeDeps,
  { nodeId, signer, queues, polls, realms }: ServedPolls & { nodeId: string; signer: Signer },
): Disposable[] {
  return [
    measureQueueNode({ polls, realms }),
    listenForControl(
      connectRedis({ name: 'queue-control', blocking: true }),
      nodeId,
      logger,
      queueControl(queues, polls.displace),
    ),
    listenForEphemerals(
      connectRedis({ name: 'queue-ephemeral', blocking: true, sharded: true }),
      { partitions, signer, logger },
      { onEphemeral: realms.receiveEphemeral },
    ),
  ];
}

/** The node's regular work, until these are disposed. */
function startTimers(
  logger: Logger,
  clock: CoarseClock,
  ringAgeMs: number,
  { queues, polls, realms }: ServedPolls,
): Disposable[] {
  return [
    every(tickMs, logger, () => polls.tick(clock.tick())),
    every(dataLossCheckMs, logger, queues.detectDataLoss),
    every(renewMs, logger, queues.renew),
    every(sweepMs, logger, () => realms.closeAllBut(queues.sweep(polls.isWaiting))),
    every(ringAgeMs, logger, () => realms.budget.expire()),
  ];
}

interface LogsDeps {
  servers: SqlServers;
  options: QueueNodeOptions;
  clock: Clock;
  signer: Signer;
  registry: Registry;
  signal: AbortSignal;
}

/** The logs of the realms that the node serves: those in memory, and what Postgres keeps of them. */
function createLogs(
  { sql, connectRedis, logger, partitions, secrets }: QueueNodeDeps,
  { options, servers, clock, signer, registry, signal }: LogsDeps,
) {
  const { tail } = options;
  const fence = createFence({ sql, servers, logger });
  const audiences = createAudiences({
    sql,
    sqlOf: async (realmId) => ((await servers.areSeveral) ? await servers.sqlOf(realmId) : null),
  });
  const readEntry = createLogEntryParser({ logger, secrets, audiences });
  const connectLog = () => connectRedis({ name: 'queue-log', blocking: true });
  const realms = createRealms({
    createFollower: (listener) =>
      createFollower(
        { sql, servers, connectRedis: connectLog, logger, partitions, signer, fence, tail },
        listener,
      ),
    readEpoch: async (realmId) => (await readHeads(await servers.sqlOf(realmId), [realmId]))[0]?.epoch,
    logger,
    audiences,
    readEntry,
    limits: options,
    clock,
    signal,
  });
  const termOf = async (realmId: number, seq: number) => readTerm(await servers.sqlOf(realmId), realmId, seq);
  const oldLog = createOldLog({
    read: async (realmId, afterSeq, limits) =>
      readLog(await servers.sqlOf(realmId), realmId, afterSeq, limits),
    readTerm: termOf,
    readEntry,
  });
  return {
    audiences,
    realms,
    positions: createPositions({ realms, readTerm: termOf }),
    async [Symbol.asyncDispose]() {
      await realms[Symbol.asyncDispose]();
      await fence[Symbol.asyncDispose]();
    },
    unreadLog: createUnreadLog({
      realms,
      oldLog,
      audiences,
      limits: options,
      clock,
      readTerm: termOf,
      readPosition: async (queueId) => (await registry.lookUp(queueId)).record?.position,
      pause,
      onLostPosition: ({ id, epoch }, position) =>
        fence.claim({ realmId: id, epoch: beginningOf(epoch), ...position }),
    }),
  };
}

type RoutesDeps = Omit<
  Parameters<typeof createGetEvents>[0] & Parameters<typeof createDeleteEvents>[0],
  'database' | 'realmOf' | 'sessions'
> & {
  readonly isDraining: () => boolean;
};

/** The handlers of the node's paths, by path and method. */
function createRoutes(
  { sql, database, hosts, secrets, ...deps }: QueueNodeDeps,
  { handler, heartbeat, isDraining, ...parts }: RoutesDeps,
) {
  const { queues, clock, onError } = parts;
  const realmOf = createRealmOfHostCache(hosts);
  const gets = { realmOf, handler, queues, heartbeat, clock };
  const deletes = { ...parts, database, realmOf };
  const sessions = createSessionParser({ secrets, isHttps: isHttps(deps) });
  return {
    '/api/v1/events': { GET: createGetEvents(gets), DELETE: createDeleteEvents(deletes) },
    '/json/events': {
      GET: createGetEvents({ ...gets, sessions }),
      DELETE: createDeleteEvents({ ...deletes, sessions }),
    },
    '/health': {
      GET: (exchange: Exchange) => sendJson(exchange, 200, { result: 'success', msg: '' }),
    },
    '/ready': { GET: createReady({ isMigrated: createSchemaCheck(sql), isDraining, onError }) },
  };
}

const isHttps = ({ baseUrl }: Pick<QueueNodeDeps, 'baseUrl'>) => baseUrl.startsWith('https:');
