import type { ReadyEntry } from './ready-entry.ts';

/**
 * What was said beside one realm's log in the last seconds, for polls that were not waiting at that moment. Each stands
 * behind an entry of the log and has an id there, the same on every node, so that a cursor says whether it was heard.
 */
export interface Ephemerals {
  /** Takes what has just come. False if the log is not there yet: it has to wait for `reached`. */
  add(ephemeral: ReadyEntry, head: number, nowMs: number): boolean;
  /** The log has come to `head`: what waited for that, in order of ids. */
  reached(head: number): readonly ReadyEntry[];
  /** What a user may not have heard yet of what stands up to `head`, in order of ids. */
  after(lastEventId: number, userId: number, head: number, nowMs: number): readonly ReadyEntry[];
}

/** For as long as a client may take between two polls. */
const keptMs = 5000;
const keptMax = 1000;
const none: readonly ReadyEntry[] = [];

const byId = (a: ReadyEntry, b: ReadyEntry) => a.firstId - b.firstId;

export function createEphemerals(): Ephemerals {
  /** Both in the order of arrival. */
  const kept: { ephemeral: ReadyEntry; untilMs: number }[] = [];
  const byUser = new Map<number, ReadyEntry[]>();
  let early: ReadyEntry[] = [];

  function forget(nowMs: number): void {
    for (let oldest = kept[0]; oldest; oldest = kept[0]) {
      if (oldest.untilMs > nowMs && kept.length <= keptMax) return;
      kept.shift();
      early = early.filter((one) => one !== oldest.ephemeral);
      for (const userId of oldest.ephemeral.audience.users ?? []) {
        const own = byUser.get(userId);
        if (own && own.length > 1) own.shift();
        else byUser.delete(userId);
      }
    }
  }

  return {
    add(ephemeral, head, nowMs) {
      kept.push({ ephemeral, untilMs: nowMs + keptMs });
      for (const userId of ephemeral.audience.users ?? []) {
        const own = byUser.get(userId);
        if (own) own.push(ephemeral);
        else byUser.set(userId, [ephemeral]);
      }
      if (ephemeral.seq > head) early.push(ephemeral);
      forget(nowMs);
      return ephemeral.seq <= head;
    },
    reached(head) {
      if (early.length === 0) return none;
      const now = early.filter(({ seq }) => seq <= head);
      early = early.filter(({ seq }) => seq > head);
      return now.sort(byId);
    },
    after(lastEventId, userId, head, nowMs) {
      if (kept.length === 0) return none;
      forget(nowMs);
      const own = byUser.get(userId) ?? none;
      return own.filter(({ seq, firstId }) => seq <= head && firstId > lastEventId).sort(byId);
    },
  };
}

/** A stretch of the log with what was said beside it, in order of ids. */
export function inOrder(
  log: readonly ReadyEntry[],
  ephemerals: readonly ReadyEntry[],
): readonly ReadyEntry[] {
  return ephemerals.length === 0 ? log : [...log, ...ephemerals].sort(byId);
}
