import type { Clock } from '@parley/kit';
import { notReady } from '@parley/protocol';

import { badQueueId } from '../core/bad-queue-id.ts';
import { requiredHead } from '../core/cursor.ts';
import type { Queue } from '../core/queue.ts';
import type { Realm, Realms } from './realms.ts';
import { type ReadTerm, termAt } from './term-at.ts';

export interface ProofDeps {
  readonly readTerm: ReadTerm;
  /** Returns the position that the registry knows of a queue now. */
  readonly readPosition: (queueId: string) => Promise<Queue['position']>;
  readonly pause: (ms: number) => Promise<void>;
  clock: Clock;
  /** Has a position that a queue's record knows compared with the log. */
  readonly onLostPosition: (realm: Realm, position: NonNullable<Queue['position']>) => void;
}

/** For how long a node that serves a queue in a new term may take to say so. */
const vouchedWithinMs = 6000;
const vouchPauseMs = 150;

/**
 * Returns the entry whose term says whether a queue's cursor is of this log's history. Up to its position, all cursors are,
 * if the position is. Beyond, a cursor was handed out in the term of the position, or by a node that did not come to say
 * that a later term had begun: nobody knows then, and its client registers anew.
 */
export const provedBy = (queue: Queue, lastEventId: number): number =>
  Math.max(queue.position?.seq ?? 0, requiredHead(queue, lastEventId));

/** Says whether cursors are of the history that a log has now. */
interface Proof {
  /** Whether all that the queue's client has received is of it; null when that is not in memory. */
  readonly isProven: (realm: Realm, queue: Queue, lastEventId: number) => boolean | null;
  /**
   * Proves a cursor in a log that has been caught up with.
   * @throws BAD_EVENT_QUEUE_ID, or SERVER_NOT_READY when Redis cannot say what other nodes know of the queue
   */
  readonly prove: (realm: Realm, queue: Queue, lastEventId: number) => Promise<void>;
}

/** Creates a proof of cursors; it goes on for no realm that is lost meanwhile. */
export function createProof(
  { readTerm, readPosition, pause, clock, onLostPosition }: ProofDeps,
  { isLost, catchUp }: { isLost: (realm: Realm) => boolean; catchUp: Realms['catchUp'] },
): Proof {
  function isProven(realm: Realm, queue: Queue, lastEventId: number): boolean | null {
    // Another node may have handed out a cursor beyond those that this one knows, when it followed another history.
    const isKnown = requiredHead(queue, lastEventId) <= queue.provenTo;
    if (isKnown && queue.provenIn === realm.ring.history) return true;
    // Its record is of a node that knows no terms.
    if (!queue.position) return true;
    const term = realm.ring.termAt(provedBy(queue, lastEventId));
    return term === null ? null : term === queue.position.term;
  }

  /** Whether the log has an entry in a term: what other nodes know of it was committed before they said so. */
  async function hasTerm(realm: Realm, seq: number, term: string): Promise<boolean> {
    if (seq > realm.ring.head) await catchUp(realm);
    return seq <= realm.ring.head && (await termAt(realm, seq, readTerm)) === term;
  }

  /** A cursor above what Postgres has was not given out by this log. What a node has vouched for there is lost. */
  function refuseBeyond(realm: Realm, queue: Queue, lastEventId: number): void {
    if (requiredHead(queue, lastEventId) <= realm.ring.head) return;
    const { position } = queue;
    if (position && position.seq > realm.ring.head) onLostPosition(realm, position);
    throw badQueueId(queue.id);
  }

  async function prove(realm: Realm, queue: Queue, lastEventId: number): Promise<void> {
    refuseBeyond(realm, queue, lastEventId);
    const untilMs = clock.nowMs() + vouchedWithinMs;
    for (let [tries, isAway] = [0, false]; !isLost(realm); tries += 1) {
      const { position } = queue;
      const isKnown = isProven(realm, queue, lastEventId);
      if (isKnown === true || !position) return;
      const seq = provedBy(queue, lastEventId);
      if (isKnown === null && (await hasTerm(realm, seq, position.term))) return;
      // The node that has served the client in a later term may be about to say so.
      const mayBeVouchedFor = seq !== position.seq && (await hasTerm(realm, position.seq, position.term));
      const isLate = clock.nowMs() >= untilMs;
      if (mayBeVouchedFor && isLate && isAway) throw notReady('redis');
      if (!mayBeVouchedFor || isLate) {
        onLostPosition(realm, position);
        throw badQueueId(queue.id);
      }
      if (tries > 0) await pause(vouchPauseMs);
      try {
        queue.position = (await readPosition(queue.id)) ?? position;
        isAway = false;
      } catch {
        isAway = true;
      }
    }
  }

  return { isProven, prove };
}
