import { readBasicAuth, textOfItsOwn } from '@parley/http';
import type { Clock } from '@parley/kit';
import type { DatabaseWatch } from '@parley/log';
import type { RateLimiter } from '@parley/redis';

import type { Cursor } from '../core/cursor.ts';
import type { Slot } from '../core/poll.ts';
import type { Polls } from '../core/polls.ts';
import type { Queue } from '../core/queue.ts';
import type { ReadyEntry } from '../core/ready-entry.ts';
import type { Realm, Realms } from '../log/realms.ts';
import type { UnreadLog } from '../log/unread-log.ts';
import type { CredentialsStore } from '../queues/credentials-store.ts';
import type { LiveQueue } from '../queues/live-queue.ts';
import { type QueueCredentials, checkCredentials } from '../queues/queue-credentials.ts';
import type { Queues } from '../queues/queues.ts';
import type { ErrorHandler } from './error-handler.ts';
import { parseDontBlock, parseLastEventId } from './events-parameters.ts';
import type { Exchange } from './exchange.ts';

/** Handles GET /events: answers each request, or parks it. */
export interface EventsHandler {
  /**
   * Handles a request whose queue id and parameters are set. It is answered or parked at once when all it needs is in
   * memory. May be called again for a request that has not been answered.
   */
  handle(exchange: Exchange): void;
  /** The client of a request is gone: it waits no longer, and nothing is lost. */
  giveUp(exchange: Exchange): void;
  /** From now on no request waits: those that would are answered with a heartbeat. */
  stopWaiting(): void;
}

export interface EventsHandlerDeps {
  database: DatabaseWatch;
  queues: Queues;
  credentials: CredentialsStore;
  realms: Realms;
  unreadLog: UnreadLog;
  polls: Polls<Exchange>;
  rateLimiter: RateLimiter<void>;
  clock: Clock;
  onError: ErrorHandler;
}

export function createEventsHandler(deps: EventsHandlerDeps): EventsHandler {
  const { database, queues, credentials, realms, unreadLog, polls, rateLimiter, clock, onError } = deps;
  let mayWait = true;

  const isCurrent = (verified: QueueCredentials | null, { userId }: Queue) =>
    verified !== null && credentials.isCurrent(verified, userId);

  function handle(exchange: Exchange): void {
    // Work that waited for Postgres too long may go on after its request was refused.
    if (!exchange.isOpen) return;
    const live = liveQueueOf(exchange);
    const realm = live && realms.find(live.queue.realmId);
    if (!realm || !isCurrent(live.credentials, live.queue)) {
      waitForPostgres(exchange, () => resolveQueue(exchange));
      return;
    }
    try {
      serve(exchange, live, realm);
    } catch (error) {
      onError(exchange, error);
    }
  }

  function liveQueueOf(exchange: Exchange): LiveQueue | null {
    if (!exchange.live || exchange.live.isForgotten) exchange.live = queues.find(exchange.queueId) ?? null;
    return exchange.live;
  }

  function waitForPostgres(exchange: Exchange, work: () => Promise<void>): void {
    exchange.isDeferred = true;
    database.whileAnswering(work).catch((error: unknown) => onError(exchange, error));
  }

  /** Finds the queue, its realm and its owner's credentials, and handles the request again. */
  async function resolveQueue(exchange: Exchange): Promise<void> {
    const live = await queues.get(exchange.queueId);
    // The log comes first: an entry that revokes the credentials after they were read is then received.
    await realms.open(live.queue.realmId);
    if (!isCurrent(live.credentials, live.queue)) {
      live.credentials = await credentials.find(live.queue.userId);
      live.verifiedHeader = null;
      live.queue.receivesAllPublic = live.queue.allPublicStreams && !live.credentials.isGuest;
    }
    handle(exchange);
  }

  function serve(exchange: Exchange, live: LiveQueue, realm: Realm): void {
    const { queue } = live;
    authenticate(exchange, live, clock.nowMs());
    if (!exchange.isCounted) rateLimiter.take(queue.userId);
    exchange.isCounted = true;
    parseParameters(exchange);
    const cursor = { registeredAt: queue.registeredAt, lastEventId: exchange.lastEventId };
    live.acknowledged = exchange.lastEventId;
    queues.touch(live);
    const log = unreadLog.inMemory(realm, queue, cursor);
    if (log) answer(exchange, live, realm, log);
    else {
      waitForPostgres(exchange, () => serveFromPostgres(exchange, live, realm, cursor));
    }
  }

  async function serveFromPostgres(
    exchange: Exchange,
    live: LiveQueue,
    realm: Realm,
    cursor: Cursor,
  ): Promise<void> {
    const { queue } = live;
    const loaded = await unreadLog.load(realm, queue, cursor);
    const log = loaded && unreadLog.afterLoad(loaded, realm, queue, cursor);
    const isServed = realms.find(realm.id) === realm && !live.isForgotten;
    const isAuthenticated = isCurrent(exchange.authenticatedAs, queue);
    if (log && isServed && isAuthenticated && exchange.isOpen) answer(exchange, live, realm, log);
    else handle(exchange);
  }

  function answer(exchange: Exchange, live: LiveQueue, realm: Realm, log: readonly ReadyEntry[]): void {
    exchange.queue = live.queue;
    exchange.log = realm.ring;
    // Safe: requests alone wait at the slots of this node.
    exchange.slot = live.slot as Slot<Exchange> | null;
    exchange.testedKey = 0;
    if (!polls.open(exchange, log, exchange.dontBlock)) return;
    live.slot = exchange.slot;
    exchange.park(live);
    if (mayWait) queues.becomeHolder(live);
    else polls.sendHeartbeat(exchange);
  }

  return {
    handle,
    giveUp(exchange) {
      exchange.isOpen = false;
      polls.remove(exchange);
    },
    stopWaiting() {
      mayWait = false;
    },
  };
}

/** Verifies the request's credentials, unless they were verified to be the very ones that the queue has now. */
function authenticate(exchange: Exchange, live: LiveQueue, nowMs: number): void {
  const { queue, credentials } = live;
  if (!credentials || exchange.authenticatedAs === credentials) return;
  const header = exchange.authorization;
  const presented = exchange.session ?? readBasicAuth(header);
  checkCredentials(queue, credentials, presented, exchange.realm, nowMs);
  exchange.authenticatedAs = credentials;
  if (exchange.session) return;
  live.verifiedHeader = header === undefined ? null : textOfItsOwn(header);
}

/** Parses the parameters when the request is handled for the first time: errors of credentials come before theirs. */
function parseParameters(exchange: Exchange): void {
  const { parameters } = exchange;
  if (!parameters) return;
  exchange.dontBlock = parseDontBlock(parameters.dontBlock);
  exchange.lastEventId = parseLastEventId(parameters.lastEventId);
  exchange.ignored = parameters.ignored;
  exchange.parameters = null;
}
