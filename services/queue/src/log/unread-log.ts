import type { Clock } from '@parley/kit';
import type { Audiences } from '@parley/log';
import { notReady } from '@parley/protocol';

import { badQueueId } from '../core/bad-queue-id.ts';
import { type ReplyLimits, collectEvents } from '../core/collect-events.ts';
import { readsAfter, requiredHead } from '../core/cursor.ts';
import { mergeByPosition } from '../core/ephemerals.ts';
import { missingAudiences } from '../core/missing-audiences.ts';
import type { Queue } from '../core/queue.ts';
import type { ReadyEntry } from '../core/ready-entry.ts';
import type { Ring } from '../core/ring.ts';
import { type ProofDeps, createProof, provedBy } from './history-proof.ts';
import type { OldLog } from './old-log.ts';
import type { Realm, Realms } from './realms.ts';

/** The part of a realm's log that a client may not have received yet, in order of ids, with its audiences loaded. */
export interface UnreadLog {
  /** The unread log, ephemeral events included; null when not all of it is in memory. */
  inMemory(realm: Realm, queue: Queue, lastEventId: number): readonly ReadyEntry[] | null;
  /**
   * Loads what is not in memory. Resolves with null when the realm was lost meanwhile.
   * @throws BAD_EVENT_QUEUE_ID when the cursor cannot be served, SERVER_NOT_READY when Postgres lacks an audience of the log
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

interface UnreadLogDeps extends ProofDeps {
  realms: Pick<Realms, 'find' | 'catchUp' | 'checkEpoch'>;
  oldLog: OldLog;
  audiences: Audiences;
  limits: ReplyLimits;
  clock: Clock;
}

/** How often audiences are loaded, each time of fewer entries. */
const loadsMax = 10;

export function createUnreadLog(deps: UnreadLogDeps): UnreadLog {
  const { realms, oldLog, audiences, limits, clock } = deps;

  const isLost = (realm: Realm) => realms.find(realm.id) !== realm;

  const { isProven, prove } = createProof(deps, { isLost, catchUp: (realm) => realms.catchUp(realm) });

  function ringAfter(ring: Ring, seq: number): readonly ReadyEntry[] | null {
    if (seq < ring.floor) return null;
    const log = ring.after(seq);
    return missingAudiences(log, audiences).length === 0 ? log : null;
  }

  /** Reads on until there is an event for the queue, or the ring has all that is left. */
  async function loadFrom(
    at: { after: number; most: number },
    realm: Realm,
    queue: Queue,
    lastEventId: number,
  ): Promise<LoadedLog | null> {
    for (let failures = 0; ;) {
      const isOld = at.after < realm.ring.floor;
      const found = isOld ? await oldLog.read(realm, at.after) : realm.ring.after(at.after);
      if (!found) throw badQueueId(queue.id);
      const log = found.length > at.most ? found.slice(0, at.most) : found;
      await audiences.load(missingAudiences(log, audiences), realm.id);
      if (isLost(realm)) return null;
      if (missingAudiences(log, audiences).length > 0) {
        // The server that was asked does not have them: it has not the history that this node follows.
        if (failures === loadsMax) throw notReady();
        // They do not fit in memory together, or others have pushed them out.
        at.most = Math.ceil(log.length / 8);
        failures += 1;
        continue;
      }
      failures = 0;
      if (!isOld && log === found) return { ringAfter: at.after };
      if (collectEvents(log, queue, lastEventId, audiences, limits).lines.length > 0) return { page: log };
      at.after = log.at(-1)?.seq ?? at.after;
    }
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
      queue.proveTo(provedBy(queue, lastEventId), queue.position?.term, realm.ring.history);
      return withEphemerals(realm, queue, lastEventId, readsAfter(queue, lastEventId));
    },
    async load(realm, queue, lastEventId) {
      if (queue.epoch !== realm.epoch) {
        await realms.checkEpoch(realm);
        if (isLost(realm)) return null;
        throw badQueueId(queue.id);
      }
      if (requiredHead(queue, lastEventId) > realm.ring.head) await realms.catchUp(realm);
      if (isLost(realm)) return null;
      await prove(realm, queue, lastEventId);
      if (isLost(realm)) return null;
      queue.proveTo(provedBy(queue, lastEventId), queue.position?.term, realm.ring.history);
      const start = { after: readsAfter(queue, lastEventId), most: Number.POSITIVE_INFINITY };
      return await loadFrom(start, realm, queue, lastEventId);
    },
    afterLoad(loaded, realm, queue, lastEventId) {
      return 'page' in loaded ? loaded.page : withEphemerals(realm, queue, lastEventId, loaded.ringAfter);
    },
  };
}
