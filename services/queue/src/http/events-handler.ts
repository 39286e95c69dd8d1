import { readBasicAuth } from '@parley/http';
import type { Clock } from '@parley/kit';
import type { DatabaseWatch } from '@parley/log';
import type { RateLimiter } from '@parley/redis';

import type { Cursor } from '../core/cursor.ts';
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
import type { PollResponse } from './poll-response.ts';

/** Handles GET /events: answers each request, or parks it. */
export interface EventsHandler {
  /**
   * Handles a request whose queue id and parameters are set. It is answered or parked at once when all it needs is in
   * memory. May be called again for a request that has not been answered.
   */
  handle(response: PollResponse): void;
  /** From now on no request waits: those that would are answered with a heartbeat. */
  stopWaiting(): void;
}

export interface EventsHandlerDeps {
  database: DatabaseWatch;
  queues: Queues;
  credentials: CredentialsStore;
  realms: Realms;
  unreadLog: UnreadLog;
  polls: Polls<PollResponse>;
  rateLimiter: RateLimiter<void>;
  clock: Clock;
  onError: ErrorHandler;
}

export function createEventsHandler(deps: EventsHandlerDeps): EventsHandler {
  const { database, queues, credentials, realms, unreadLog, polls, rateLimiter, clock, onError } = deps;
  let mayWait = true;

  const isCurrent = (verified: QueueCredentials | null, { userId }: Queue) =>
    verified !== null && credentials.isCurrent(verified, userId);

  function handle(response: PollResponse): void {
    // Work that waited for Postgres too long may go on after its request was refused.
    if (response.destroyed || response.headersSent) return;
    const live = queues.find(response.queueId);
    const realm = live && realms.find(live.queue.realmId);
    if (!realm || !isCurrent(live.credentials, live.queue)) {
      waitForPostgres(response, () => resolveQueue(response));
      return;
    }
    try {
      serve(response, live, realm);
    } catch (error) {
      onError(response, error);
    }
  }

  function waitForPostgres(response: PollResponse, work: () => Promise<void>): void {
    database.whileAnswering(work).catch((error: unknown) => onError(response, error));
  }

  /** Finds the queue, its realm and its owner's credentials, and handles the request again. */
  async function resolveQueue(response: PollResponse): Promise<void> {
    const live = await queues.get(response.queueId);
    // The log comes first: an entry that revokes the credentials after they were read is then received.
    await realms.open(live.queue.realmId);
    if (!isCurrent(live.credentials, live.queue)) {
      live.credentials = await credentials.find(live.queue.userId);
      live.verifiedHeader = null;
      live.queue.receivesAllPublic = live.queue.allPublicStreams && !live.credentials.isGuest;
    }
    handle(response);
  }

  function serve(response: PollResponse, live: LiveQueue, realm: Realm): void {
    const { queue } = live;
    authenticate(response, live, clock.nowMs());
    if (!response.isCounted) rateLimiter.take(queue.userId);
    response.isCounted = true;
    parseParameters(response);
    const cursor = { registeredAt: queue.registeredAt, lastEventId: response.lastEventId };
    live.acknowledged = response.lastEventId;
    queues.touch(live);
    const log = unreadLog.inMemory(realm, queue, cursor);
    if (log) answer(response, live, realm, log);
    else {
      waitForPostgres(response, () => serveFromPostgres(response, live, realm, cursor));
    }
  }

  async function serveFromPostgres(
    response: PollResponse,
    live: LiveQueue,
    realm: Realm,
    cursor: Cursor,
  ): Promise<void> {
    const { queue } = live;
    const loaded = await unreadLog.load(realm, queue, cursor);
    const log = loaded && unreadLog.afterLoad(loaded, realm, queue, cursor);
    const isServed = realms.find(realm.id) === realm && queues.find(queue.id) === live;
    const isAuthenticated = isCurrent(response.authenticatedAs, queue);
    const isOpen = !response.destroyed && !response.headersSent;
    if (log && isServed && isAuthenticated && isOpen) answer(response, live, realm, log);
    else handle(response);
  }

  function answer(response: PollResponse, live: LiveQueue, realm: Realm, log: readonly ReadyEntry[]): void {
    const { lastEventId, dueMs, dontBlock } = response;
    const request = { queue: live.queue, lastEventId, reply: response, dueMs, log: realm.ring };
    response.poll = polls.open(request, log, dontBlock);
    if (!response.poll) return;
    if (mayWait) queues.becomeHolder(live);
    else polls.sendHeartbeat(response.poll);
  }

  return {
    handle,
    stopWaiting() {
      mayWait = false;
    },
  };
}

/** Verifies the request's credentials, unless they were verified to be the very ones that the queue has now. */
function authenticate(response: PollResponse, live: LiveQueue, nowMs: number): void {
  const { queue, credentials } = live;
  if (!credentials || response.authenticatedAs === credentials) return;
  const header = response.req.headers.authorization;
  const presented = response.session ?? readBasicAuth(header);
  checkCredentials(queue, credentials, presented, response.realm, nowMs);
  response.authenticatedAs = credentials;
  if (response.session) return;
  live.verifiedHeader = header ?? null;
}

/** Parses the parameters when the request is handled for the first time: errors of credentials come before theirs. */
function parseParameters(response: PollResponse): void {
  const { parameters } = response;
  if (!parameters) return;
  response.dontBlock = parseDontBlock(parameters.dontBlock);
  response.lastEventId = parseLastEventId(parameters.lastEventId);
  response.ignored = parameters.ignored;
  response.parameters = null;
}
