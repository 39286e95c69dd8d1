import { readBasicAuth } from '@parley/http';
import type { Audiences } from '@parley/log';

import { type ReplyLimits, collectEvents } from '../core/collect-events.ts';
import { type Cursor, requiredHead, readsAfter } from '../core/cursor.ts';
import { mergeById } from '../core/ephemerals.ts';
import { missingAudiences } from '../core/missing-audiences.ts';
import type { Polls } from '../core/polls.ts';
import type { ReadyEntry } from '../core/ready-entry.ts';
import type { Realm, Realms } from '../log/follow-realms.ts';
import type { OldLog } from '../log/old-log.ts';
import { type Owners, badQueueId, checkOwner } from '../queues/queue-credentials.ts';
import type { LiveQueue, Queues } from '../queues/queues.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { parseDontBlock, parseLastEventId } from './events-parameters.ts';
import type { Asking } from './poll-response.ts';

/** Takes each GET /events to its answer, or to where it waits. */
export interface Desk {
  /** What is in memory is decided on the spot. May be called again for a request that has not been answered. */
  take(asking: Asking): void;
  /** From now on nothing waits: what would is answered with a heartbeat. */
  stopWaiting(): void;
}

export interface DeskNeeds {
  queues: Queues;
  owners: Owners;
  realms: Realms;
  oldLog: OldLog;
  audiences: Audiences;
  polls: Polls<Asking>;
  rateLimiter: RateLimiter;
  limits: ReplyLimits;
  nowMs(): number;
  fail(asking: Asking, error: unknown): void;
}

export function createDesk(needs: DeskNeeds): Desk {
  const { queues, owners, realms, oldLog, audiences, polls, rateLimiter, limits, nowMs, fail } = needs;
  let mayWait = true;

  function take(asking: Asking): void {
    if (asking.destroyed) return;
    const live = queues.find(asking.queueId);
    const realm = live && realms.find(live.queue.realmId);
    if (!realm || !live.owner || !owners.isCurrent(live.owner, live.queue.userId)) {
      admit(asking).catch((error: unknown) => fail(asking, error));
      return;
    }
    try {
      proceed(asking, live, realm);
    } catch (error) {
      fail(asking, error);
    }
  }

  /** Finds the queue, its realm and its owner, and takes the request again. */
  async function admit(asking: Asking): Promise<void> {
    const live = await queues.get(asking.queueId);
    // The log first: whatever revokes the credentials after they were read is then heard of.
    await realms.open(live.queue.realmId);
    if (!live.owner || !owners.isCurrent(live.owner, live.queue.userId)) {
      live.owner = await owners.find(live.queue.userId);
      live.proof = null;
      live.queue.receivesAllPublic = live.queue.allPublicStreams && !live.owner.isGuest;
    }
    take(asking);
  }

  function proceed(asking: Asking, live: LiveQueue, realm: Realm): void {
    const { queue, owner } = live;
    if (owner && asking.provedBy !== owner) {
      const header = asking.req.headers.authorization;
      checkOwner(queue, owner, readBasicAuth(header), asking.realm);
      asking.provedBy = owner;
      live.proof = header ?? null;
    }
    if (!asking.isCounted) rateLimiter.count(queue.userId, nowMs());
    asking.isCounted = true;
    if (asking.parameters) {
      asking.dontBlock = parseDontBlock(asking.parameters.dontBlock);
      asking.lastEventId = parseLastEventId(asking.parameters.lastEventId);
      asking.ignored = asking.parameters.ignored;
      asking.parameters = null;
    }
    const { dontBlock, lastEventId } = asking;
    const cursor = { registeredAt: queue.registeredAt, lastEventId };
    queues.touch(live);
    const log = queue.epoch === realm.epoch ? logInMemory(realm, cursor) : null;
    if (log) answer(asking, live, realm, withEphemerals(log, realm, live, cursor), dontBlock);
    else
      proceedFromPostgres(asking, live, realm, cursor, dontBlock).catch((error: unknown) =>
        fail(asking, error),
      );
  }

  async function proceedFromPostgres(
    asking: Asking,
    live: LiveQueue,
    realm: Realm,
    cursor: Cursor,
    dontBlock: boolean,
  ): Promise<void> {
    const { queue, owner } = live;
    const fetched = await fetchLog(live, realm, cursor);
    // Taken from the ring only now, in one turn with the answer: a run that came during any wait before would be in
    // neither the log nor among what wakes the poll.
    const isRecent = typeof fetched === 'number';
    const read = isRecent ? loadedAfter(realm, fetched) : fetched;
    // What was said beside the log is told while it is new, or never: old entries come without.
    const log = read && isRecent ? withEphemerals(read, realm, live, cursor) : read;
    const isKnown = realms.find(realm.id) === realm && queues.find(queue.id) === live;
    const isCurrent = isKnown && owner && owners.isCurrent(owner, queue.userId);
    if (log && isCurrent && !asking.destroyed) answer(asking, live, realm, log, dontBlock);
    else take(asking);
  }

  function answer(
    asking: Asking,
    live: LiveQueue,
    { ring }: Realm,
    log: readonly ReadyEntry[],
    dontBlock: boolean,
  ): void {
    const { lastEventId, dueMs } = asking;
    const request = { queue: live.queue, lastEventId, reply: asking, dueMs, log: ring };
    asking.poll = polls.open(request, log, dontBlock);
    if (!asking.poll) return;
    if (mayWait) queues.hold(live);
    else polls.sendHeartbeat(asking.poll);
  }

  /** The ring after the cursor with what was said beside it. */
  function withEphemerals(
    log: readonly ReadyEntry[],
    { ring, ephemerals }: Realm,
    { queue }: LiveQueue,
    { lastEventId }: Cursor,
  ): readonly ReadyEntry[] {
    return mergeById(log, ephemerals.after(lastEventId, queue.userId, ring.head, nowMs()));
  }

  /** All that the cursor may not have heard, if it is at hand. */
  function logInMemory({ ring }: Realm, cursor: Cursor): readonly ReadyEntry[] | null {
    return requiredHead(cursor) > ring.head ? null : loadedAfter({ ring }, readsAfter(cursor));
  }

  /** The ring after an entry, if it reaches back so far and all of its audiences are loaded. */
  function loadedAfter({ ring }: Pick<Realm, 'ring'>, after: number): readonly ReadyEntry[] | null {
    if (after < ring.floor) return null;
    const log = ring.after(after);
    return missingAudiences(log, audiences).length === 0 ? log : null;
  }

  /**
   * Brings what the cursor may not have heard within reach. Resolves with entries that hold something to be heard,
   * or with the entry after which the ring has the rest; with null when the realm was lost meanwhile.
   */
  async function fetchLog(
    { queue }: LiveQueue,
    realm: Realm,
    cursor: Cursor,
  ): Promise<readonly ReadyEntry[] | number | null> {
    const isLost = () => realms.find(realm.id) !== realm;
    if (queue.epoch !== realm.epoch) {
      await realms.checkEpoch(realm);
      if (isLost()) return null;
      throw badQueueId(queue.id);
    }
    if (requiredHead(cursor) > realm.ring.head) await realms.catchUp(realm);
    if (isLost()) return null;
    // What even Postgres has not, was never given out by this log.
    if (requiredHead(cursor) > realm.ring.head) throw badQueueId(queue.id);
    let after = readsAfter(cursor);
    while (after < realm.ring.floor) {
      const page = await oldLog.read(realm, after);
      if (!page) throw badQueueId(queue.id);
      await audiences.load(missingAudiences(page, audiences));
      if (isLost()) return null;
      if (collectEvents(page, queue, cursor.lastEventId, audiences, limits).lines.length > 0) return page;
      after = page.at(-1)?.seq ?? after;
    }
    await audiences.load(missingAudiences(realm.ring.after(after), audiences));
    return isLost() ? null : after;
  }

  return {
    take,
    stopWaiting() {
      mayWait = false;
    },
  };
}
