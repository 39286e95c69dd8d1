import { readBasicAuth, textOfItsOwn } from '@parley/http';
import type { Clock } from '@parley/kit';
import type { DatabaseWatch, SqlServers } from '@parley/log';
import { queueTimes } from '@parley/protocol';
import type { LocalRateLimiter } from '@parley/redis';

import type { Slot } from '../core/poll.ts';
import type { Patience, Polls } from '../core/polls.ts';
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
  servers: Pick<SqlServers, 'whileAnswering'>;
  queues: Queues;
  credentials: CredentialsStore;
  realms: Realms;
  unreadLog: UnreadLog;
  polls: Polls<Exchange>;
  rateLimiter: LocalRateLimiter;
  clock: Clock;
  onError: ErrorHandler;
}

export const createEventsHandler = (deps: EventsHandlerDeps): EventsHandler => new PollHandler(deps);

class PollHandler implements EventsHandler {
  private readonly deps: EventsHandlerDeps;
  /** False once the node drains. */
  private mayWait = true;

  constructor(deps: EventsHandlerDeps) {
    this.deps = deps;
  }

  handle(exchange: Exchange): void {
    // Work that waited for Postgres too long may go on after its request was refused.
    if (!exchange.isOpen) return;
    const live = this.liveQueueOf(exchange);
    const realm = live && this.deps.realms.find(live.queue.realmId);
    if (!realm || !this.isCurrent(live.credentials, live.queue)) {
      this.waitForPostgres(exchange, () => this.resolveQueue(exchange));
      return;
    }
    try {
      this.serve(exchange, live, realm);
    } catch (error) {
      this.deps.onError(exchange, error);
    }
  }

  private liveQueueOf({ request }: Exchange): LiveQueue | null {
    if (!request.live || request.live.isForgotten)
      request.live = this.deps.queues.find(request.queueId) ?? null;
    return request.live;
  }

  private waitForPostgres(exchange: Exchange, work: () => Promise<void>): void {
    exchange.isDeferred = true;
    this.deps.database.whileAnswering(work).catch((error: unknown) => this.deps.onError(exchange, error));
  }

  /** Finds the queue, its realm and its owner's credentials, and handles the request again. */
  private async resolveQueue(exchange: Exchange): Promise<void> {
    const live = await this.deps.queues.get(exchange.request.queueId);
    await this.deps.servers.whileAnswering(live.queue.realmId, () => this.openRealm(live));
    this.handle(exchange);
  }

  private async openRealm(live: LiveQueue): Promise<void> {
    // The log comes first: an entry that revokes the credentials after they were read is then received.
    await this.deps.realms.open(live.queue.realmId);
    if (!this.isCurrent(live.credentials, live.queue)) {
      live.credentials = await this.deps.credentials.find(live.queue.userId, live.queue.realmId);
      live.verifiedHeader = null;
      live.queue.receivesAllPublic = live.queue.allPublicStreams && !live.credentials.isGuest;
    }
  }

  private serve(exchange: Exchange, live: LiveQueue, realm: Realm): void {
    const { queue } = live;
    authenticate(exchange, live, this.deps.clock.nowMs());
    const { authentication, poll } = exchange;
    if (!authentication.isCounted) this.deps.rateLimiter.take(queue.userId);
    authentication.isCounted = true;
    parseParameters(exchange);
    const { lastEventId } = poll;
    live.acknowledged = lastEventId;
    this.deps.queues.touch(live);
    const log = this.deps.unreadLog.inMemory(realm, queue, lastEventId);
    if (log) this.answer(exchange, live, realm, log);
    else {
      this.waitForPostgres(exchange, () => this.serveFromPostgres(exchange, live, realm, lastEventId));
    }
  }

  private async serveFromPostgres(
    exchange: Exchange,
    live: LiveQueue,
    realm: Realm,
    lastEventId: number,
  ): Promise<void> {
    const { queue } = live;
    const loaded = await this.deps.servers.whileAnswering(realm.id, () =>
      this.deps.unreadLog.load(realm, queue, lastEventId),
    );
    const log = loaded && this.deps.unreadLog.afterLoad(loaded, realm, queue, lastEventId);
    const isServed = this.deps.realms.find(realm.id) === realm && !live.isForgotten;
    const isAuthenticated = this.isCurrent(exchange.authentication.verified, queue);
    if (log && isServed && isAuthenticated && exchange.isOpen) this.answer(exchange, live, realm, log);
    else this.handle(exchange);
  }

  private answer(exchange: Exchange, live: LiveQueue, realm: Realm, log: readonly ReadyEntry[]): void {
    const { poll, request } = exchange;
    poll.queue = live.queue;
    poll.log = realm.ring;
    // Safe: requests alone wait at the slots of this node.
    poll.slot = live.slot as Slot<Exchange> | null;
    poll.testedKey = 0;
    const nowMs = this.deps.clock.nowMs();
    if (!this.deps.polls.open(poll, log, request.dontBlock ? this.patienceOf(live, nowMs) : 'waits')) return;
    live.heartbeatMs = nowMs;
    live.slot = poll.slot;
    exchange.park(live);
    if (this.mayWait) this.deps.queues.becomeHolder(live);
    else this.deps.polls.sendHeartbeat(poll);
  }

  /** Polls that never wait are sent the heartbeat of each minute, too. */
  private patienceOf(live: LiveQueue, nowMs: number): Patience {
    if (nowMs - live.heartbeatMs < queueTimes.heartbeatMs) return 'returns';
    live.heartbeatMs = nowMs;
    return 'returns with heartbeat';
  }

  giveUp(exchange: Exchange): void {
    exchange.isOpen = false;
    this.deps.polls.remove(exchange.poll);
  }

  stopWaiting(): void {
    this.mayWait = false;
  }

  private isCurrent(verified: QueueCredentials | null, { userId }: Queue): boolean {
    return verified !== null && this.deps.credentials.isCurrent(verified, userId);
  }
}

/** Verifies the request's credentials, unless they were verified to be the very ones that the queue has now. */
function authenticate({ head, authentication }: Exchange, live: LiveQueue, nowMs: number): void {
  const { queue, credentials } = live;
  if (!credentials || authentication.verified === credentials) return;
  const header = head.authorization;
  const presented = authentication.session ?? readBasicAuth(header);
  checkCredentials(queue, credentials, presented, authentication.realm, nowMs);
  authentication.verified = credentials;
  if (authentication.session) return;
  live.verifiedHeader = header === undefined ? null : textOfItsOwn(header);
}

/** Parses the parameters when the request is handled for the first time: errors of credentials come before theirs. */
function parseParameters({ request, poll }: Exchange): void {
  const { parameters } = request;
  if (!parameters) return;
  request.dontBlock = parseDontBlock(parameters.dontBlock);
  poll.lastEventId = parseLastEventId(parameters.lastEventId);
  request.ignored = parameters.ignored;
  request.parameters = null;
}
