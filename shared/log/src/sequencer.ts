import type { Entry } from '@parley/protocol';

/** How many entries may wait behind a hole. Beyond it they are dropped: Postgres has them. */
const waitingMax = 10_000;

/** Puts one realm's entries in order: lets each through once, and nothing past a hole. Pure. */
export interface Sequencer {
  readonly head: number;
  /** True while an entry waits for one before it. */
  readonly hasHole: boolean;
  /** Takes an entry from any carrier, in any order; returns the run that may be passed on now. */
  offer(entry: Entry): Entry[];
}

export function createSequencer(start: number): Sequencer {
  let head = start;
  const waiting = new Map<number, Entry>();
  return {
    get head() {
      return head;
    },
    get hasHole() {
      return waiting.size > 0;
    },
    offer(entry) {
      if (entry.seq <= head) return [];
      if (entry.seq > head + 1) {
        if (waiting.size < waitingMax) waiting.set(entry.seq, entry);
        return [];
      }
      const run = [entry];
      head = entry.seq;
      for (let next = waiting.get(head + 1); next; next = waiting.get(head + 1)) {
        waiting.delete(next.seq);
        run.push(next);
        head = next.seq;
      }
      // What a repeat left behind the head is of no use any more.
      for (const seq of waiting.keys()) if (seq <= head) waiting.delete(seq);
      return run;
    },
  };
}
