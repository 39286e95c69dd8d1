import type { Clock } from '@parley/kit';

import { badQueueId } from '../core/bad-queue-id.ts';
import { requiredHead } from '../core/cursor.ts';
import type { Queue } from '../core/queue.ts';
import type { Realm } from './realms.ts';
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
const provedBy = (position: { seq: number }, queue: Queue, lastEventId: number): number =>
  Math.max(position.seq, requiredHead(queue, lastEventId));

/** Says whether cursors are of the history that a log has now. */
interface Proof {
  /** Whether all that the queue's client has received is of it; null when that is not in memory. */
  readonly isProven: (realm: Realm, queue: Queue, lastEventId: number) => boolean | null;
  /** @throws BAD_EVENT_QUEUE_ID */
  readonly prove: (realm: Realm, queue: Queue, lastEventId: number) => Promise<void>;
}

/** Creates a proof of cursors; it goes on for no realm that is lost meanwhile. */
export function createProof(
  { readTerm, readPosition, pause, clock, onLostPosition }: ProofDeps,
  isLost: (realm: Realm) => boolean,
): Proof {
  function isProven(realm: Realm, queue: Queue, lastEventId: number): boolean | null {
    if (queue.provenIn === realm.ring.history) return true;
    // Its record is of a node that knows no terms.
    if (!queue.position) return true;
    const term = realm.ring.termAt(provedBy(queue.position, queue, lastEventId));
    return term === null ? null : term === queue.position.term;
  }

  async function prove(realm: Realm, queue: Queue, lastEventId: number): Promise<void> {
    const untilMs = clock.nowMs() + vouchedWithinMs;
    while (!isLost(realm)) {
      const { position } = queue;
      const isKnown = isProven(realm, queue, lastEventId);
      if (isKnown === true || !position) return;
      const isHeld = async (seq: number) => (await termAt(realm, seq, readTerm)) === position.term;
      const seq = provedBy(position, queue, lastEventId);
      if (isKnown === null && (await isHeld(seq))) return;
      // The node that has served the client in a later term may be about to say so.
      if (clock.nowMs() >= untilMs || seq === position.seq || !(await isHeld(position.seq))) {
        onLostPosition(realm, position);
        throw badQueueId(queue.id);
      }
      await pause(vouchPauseMs);
      queue.position = (await readPosition(queue.id).catch(() => undefined)) ?? position;
    }
  }

  return { isProven, prove };
}
