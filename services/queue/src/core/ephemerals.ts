import type { Queue } from './queue.ts';
import type { ReadyEntry } from './ready-entry.ts';

/**
 * The ephemeral events of one realm from the last seconds, for polls that were not waiting when they arrived. Each has
 * a position after an entry of the log and an id there, the same on every node, so that a cursor says whether the
 * client has received it.
 */
export interface Ephemerals {
  /**
   * Adds an event that has just arrived. Returns false if the log has not reached its position: `reached` returns it
   * later.
   */
  add(ephemeral: ReadyEntry, head: number, nowMs: number): boolean;
  /** The log has reached `head`: returns the events that waited for that, in order of ids. */
  reached(head: number): readonly ReadyEntry[];
  /** The events up to `head` that a queue's client may not have received yet, in order of ids. */
  after(lastEventId: number, queue: Owner, head: number, nowMs: number): readonly ReadyEntry[];
}

type Owner = Pick<Queue, 'userId' | 'ids'>;

/** As long as a client may take between two polls. */
export const ephemeralMs = 5000;
const keptMax = 1000;
const none: readonly ReadyEntry[] = [];

const numberOf = ({ ephemeralNumber }: ReadyEntry) => ephemeralNumber ?? 0;

/** An entry comes before the ephemeral events behind it. */
const byPosition = (a: ReadyEntry, b: ReadyEntry) => a.seq - b.seq || numberOf(a) - numberOf(b);

export function createEphemerals(keptMs = ephemeralMs): Ephemerals {
  /** Both are in the order of arrival. */
  const kept: { ephemeral: ReadyEntry; untilMs: number }[] = [];
  const byUser = new Map<number, ReadyEntry[]>();
  /** Events whose position the log has not reached. */
  let early: ReadyEntry[] = [];

  function forgetOld(nowMs: number): void {
    for (let oldest = kept[0]; oldest; oldest = kept[0]) {
      if (oldest.untilMs > nowMs && kept.length <= keptMax) return;
      kept.shift();
      early = early.filter((ephemeral) => ephemeral !== oldest.ephemeral);
      for (const userId of oldest.ephemeral.audience.users ?? []) {
        const ofUser = byUser.get(userId);
        if (ofUser && ofUser.length > 1) ofUser.shift();
        else byUser.delete(userId);
      }
    }
  }

  return {
    add(ephemeral, head, nowMs) {
      kept.push({ ephemeral, untilMs: nowMs + keptMs });
      for (const userId of ephemeral.audience.users ?? []) {
        const ofUser = byUser.get(userId);
        if (ofUser) ofUser.push(ephemeral);
        else byUser.set(userId, [ephemeral]);
      }
      if (ephemeral.seq > head) early.push(ephemeral);
      forgetOld(nowMs);
      return ephemeral.seq <= head;
    },
    reached(head) {
      if (early.length === 0) return none;
      const due = early.filter(({ seq }) => seq <= head);
      early = early.filter(({ seq }) => seq > head);
      return due.sort(byPosition);
    },
    after(lastEventId, { userId, ids }, head, nowMs) {
      if (kept.length === 0) return none;
      forgetOld(nowMs);
      const ofUser = byUser.get(userId) ?? none;
      return ofUser
        .filter((one) => one.seq <= head && ids.ephemeral({ after: one.seq, n: numberOf(one) }) > lastEventId)
        .sort(byPosition);
    },
  };
}

/** Returns a stretch of the log merged with the ephemeral events behind its entries, in order of ids. */
export function mergeByPosition(
  log: readonly ReadyEntry[],
  ephemerals: readonly ReadyEntry[],
): readonly ReadyEntry[] {
  return ephemerals.length === 0 ? log : [...log, ...ephemerals].sort(byPosition);
}
