import type { Entry } from '@parley/protocol';

/** So many entries may wait behind a hole. More are dropped, and read from Postgres later. */
const waitingMax = 10_000;

/** Puts the entries of one realm in order. Each is passed on once, and none past a hole. It is pure. */
export interface Sequencer {
  readonly head: number;
  /** Whether an entry waits for one before it. */
  readonly hasHole: boolean;
  /** Accepts an entry from any carrier, in any order. Returns the run that may be passed on now. */
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
      return run;
    },
  };
}
