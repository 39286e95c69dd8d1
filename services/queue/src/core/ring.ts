import type { ReadyEntry } from './ready-entry.ts';

export interface RingLimits {
  ringEntriesMax: number;
  ringBytesMax: number;
}

/** The recent log of one realm: the entries after `floor` up to `head`, without holes. */
export interface Ring {
  readonly floor: number;
  readonly head: number;
  /** Takes the entries that follow the head, and lets go of the oldest beyond the limits. */
  append(run: readonly ReadyEntry[]): void;
  /** The entries after `seq`, which must not lie below the floor. */
  after(seq: number): readonly ReadyEntry[];
}

const none: readonly ReadyEntry[] = [];

export function createRing(floor: number, { ringEntriesMax, ringBytesMax }: RingLimits): Ring {
  let kept: ReadyEntry[] = [];
  /** Entries before this index are gone; the array is moved down once they are the larger part. */
  let first = 0;
  let bytes = 0;
  let head = floor;

  function shrink(): void {
    while (kept.length - first > ringEntriesMax || (bytes > ringBytesMax && kept.length - first > 1)) {
      bytes -= kept[first]?.size ?? 0;
      first += 1;
    }
    if (first > 64 && first > kept.length / 2) {
      kept = kept.slice(first);
      first = 0;
    }
  }

  const floorNow = () => head - (kept.length - first);

  return {
    get floor() {
      return floorNow();
    },
    get head() {
      return head;
    },
    append(run) {
      for (const entry of run) {
        if (entry.seq !== head + 1) throw new Error(`Entry ${entry.seq} does not follow ${head}.`);
        kept.push(entry);
        bytes += entry.size;
        head = entry.seq;
      }
      shrink();
    },
    after(seq) {
      if (seq < floorNow()) throw new Error(`Entries after ${seq} are not in memory.`);
      return seq < head ? kept.slice(seq - head) : none;
    },
  };
}
