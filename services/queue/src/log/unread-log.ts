import type { Clock } from '@parley/kit';
import type { Audiences } from '@parley/log';

import { badQueueId } from '../core/bad-queue-id.ts';
import { type ReplyLimits, collectEvents } from '../core/collect-events.ts';
import { readsAfter, requiredHead } from '../core/cursor.ts';
import { mergeByPosition } from '../core/ephemerals.ts';
import { missingAudiences } from '../core/missing-audiences.ts';
import type { Queue } from '../core/queue.ts';
import type { ReadyEntry } from '../core/ready-entry.ts';
import type { Ring } from '../core/ring.ts';
import type { OldLog } from './old-log.ts';
import type { Realm, Realms } from './realms.ts';

/** The part of a realm's log that a client may not have received yet, in order of ids, with its audiences loaded. */
export interface UnreadLog {
  /** The unread log, ephemeral events included; null when not all of it is in memory. */
  inMemory(realm: Realm, queue: Queue, lastEventId: number): readonly ReadyEntry[] | null;
  /**
   * Loads what is not in memory. Resolves with null when the realm was lost meanwhile.
   * @throws BAD_EVENT_QUEUE_ID when the cursor cannot be served
   */
  load(realm: Realm, queue: Queue, lastEventId: number): Promise<LoadedLog | null>;
  /**
   * The unread log after `load`; null when it has left memory again. It has to be called in one turn with the answer: a
   * run that arrived during a wait in between would be neither in the log nor wake the poll.
   */
  afterLoad(loaded: LoadedLog, realm: Realm, queue: Queue, lastEventId: number): readonly ReadyEntry[] | null;
}

/**
 * Either a page of old entries with at least one event for the queue, which is answered without ephemeral events, or the
 * entry after which the ring has all that is unread.
 */
type LoadedLog = { page: readonly ReadyEntry[] } | { ringAfter: number };

interface UnreadLogDeps {
  realms: Pick<Realms, 'find' | 'catchUp' | 'checkEpoch'>;
  oldLog: OldLog;
  audiences: Audiences;
  limits: ReplyLimits;
  clock: Clock;
  /** Returns the term of an entry of a realm's log, as Postgres has it; null for one that is not kept. */
  readonly readTerm: (realmId: number, seq: number) => Promise<string | null>;
  /** Returns the position that the registry knows of a queue now. */
  readonly readPosition: (queueId: string) => Promise<Queue['position']>;
  readonly pause: (ms: number) => Promise<void>;
  /** Has a position that a queue's record knows compared with the log. */
  readonly onLostPosition: (realm: Realm, position: NonNullable<Queue['position']>) => void;
}

/** For how long a node that serves a queue in a new term may take to say so. */
const vouchTriesMax = 20;
const vouchPauseMs = 150;

/**
 * Returns the entry whose term says whether a queue's cursor is of this log's history. Up to its position, all cursors are,
 * if the position is. Beyond, a cursor was handed out in the term of the position, or by a node that did not come to say
 * that a later term had begun: nobody knows then, and its client registers anew.
 */
const provedBy = (position: { seq: number }, queue: Queue, lastEventId: number): number =>
  Math.max(position.seq, requiredHead(queue, lastEventId));

export function createUnreadLog(deps: UnreadLogDeps): UnreadLog {
  const { realms, oldLog, audiences, limits, clock, readTerm, readPosition, pause, onLostPosition } = deps;

  const isLost = (realm: Realm) => realms.find(realm.id) !== realm;

  /** Whether all that the queue's client has received is of this log's history; null when that is not in memory. */
  function isProven(realm: Realm, queue: Queue, lastEventId: number): boolean | null {
    if (queue.provenIn === realm.ring.history) return true;
    // Its record is of a node that knows no terms.
    if (!queue.position) return true;
    const term = realm.ring.termAt(provedBy(queue.position, queue, lastEventId));
    return term === null ? null : term === queue.position.term;
  }

  /** @throws BAD_EVENT_QUEUE_ID */
  async function prove(realm: Realm, queue: Queue, lastEventId: number): Promise<void> {
    for (let tries = 0; !isLost(realm); tries += 1) {
      const { position } = queue;
      const isKnown = isProven(realm, queue, lastEventId);
      if (isKnown === true || !position) return;
      const isHeld = async (seq: number) =>
        (realm.ring.termAt(seq) ?? (await readTerm(realm.id, seq))) === position.term;
      const seq = provedBy(position, queue, lastEventId);
      if (isKnown === null && (await isHeld(seq))) return;
      // The node that has served the client in a later term may be about to say so.
      if (tries === vouchTriesMax || seq === position.seq || !(await isHeld(position.seq))) {
        onLostPosition(realm, position);
        throw badQueueId(queue.id);
      }
      await pause(vouchPauseMs);
      queue.position = (await readPosition(queue.id).catch(() => undefined)) ?? position;
    }
  }

  function ringAfter(ring: Ring, seq: number): readonly ReadyEntry[] | null {
    if (seq < ring.floor) return null;
    const log = ring.after(seq);
    return missingAudiences(log, audiences).length === 0 ? log : null;
  }

  function withEphemerals({ ring, ephemerals }: Realm, queue: Queue, lastEventId: number, seq: number) {
    const log = ringAfter(ring, seq);
    if (!log) return null;
    return mergeByPosition(log, ephemerals.after(lastEventId, queue, ring.head, clock.nowMs()));
  }

  return {
    inMemory(realm, queue, lastEventId) {
      if (queue.epoch !== realm.epoch || requiredHead(queue, lastEventId) > realm.ring.head) return null;
      if (isProven(realm, queue, lastEventId) !== true) return null;
      queue.provenIn = realm.ring.history;
      return withEphemerals(realm, queue, lastEventId, readsAfter(queue, lastEventId));
    },
    async load(realm, queue, lastEventId) {
      if (queue.epoch !== realm.epoch) {
        await realms.checkEpoch(realm);
        if (isLost(realm)) return null;
        throw badQueueId(queue.id);
      }
      const required = Math.max(
        requiredHead(queue, lastEventId),
        queue.provenIn === realm.ring.history ? 0 : (queue.position?.seq ?? 0),
      );
      if (required > realm.ring.head) await realms.catchUp(realm);
      if (isLost(realm)) return null;
      // A cursor above what Postgres has was not given out by this log.
      if (requiredHead(queue, lastEventId) > realm.ring.head) throw badQueueId(queue.id);
      await prove(realm, queue, lastEventId);
      if (isLost(realm)) return null;
      queue.provenIn = realm.ring.history;
      let after = readsAfter(queue, lastEventId);
      while (after < realm.ring.floor) {
        const page = await oldLog.read(realm, after);
        if (!page) throw badQueueId(queue.id);
        await audiences.load(missingAudiences(page, audiences));
        if (isLost(realm)) return null;
        if (collectEvents(page, queue, lastEventId, audiences, limits).lines.length > 0) return { page };
        after = page.at(-1)?.seq ?? after;
      }
      await audiences.load(missingAudiences(realm.ring.after(after), audiences));
      return isLost(realm) ? null : { ringAfter: after };
    },
    afterLoad(loaded, realm, queue, lastEventId) {
      return 'page' in loaded ? loaded.page : withEphemerals(realm, queue, lastEventId, loaded.ringAfter);
    },
  };
}
