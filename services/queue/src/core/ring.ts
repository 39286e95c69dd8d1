import type { ReadyEntry } from './ready-entry.ts';

/** The recent log of one realm in memory: the entries after `floor` up to `head`, without holes. */
export interface Ring {
  readonly floor: number;
  readonly head: number;
  /** How many entries are kept, and the bytes that they take. */
  readonly kept: { entries: number; bytes: number };
  /** Adds the entries that follow the head, and drops the oldest beyond the limits. */
  append(run: readonly ReadyEntry[]): void;
  /** The entries after `seq`, which must not lie below the floor. */
  after(seq: number): readonly ReadyEntry[];
}

export interface RingLimits {
  ringEntriesMax: number;
  ringBytesMax: number;
}

const none: readonly ReadyEntry[] = [];

export function createRing(floor: number, { ringEntriesMax, ringBytesMax }: RingLimits): Ring {
  let kept: ReadyEntry[] = [];
  /** Entries before this index are dropped; the array is copied once they are the larger part of it. */
  let first = 0;
  let bytes = 0;
  let head = floor;

  function shrink(): void {
    while (kept.length - first > ringEntriesMax || (bytes > ringBytesMax && kept.length - first > 1)) {
      const oldest = kept[first];
      bytes -= oldest?.size ?? 0;
      if (oldest) oldest.onGrowth = null;
      first += 1;
    }
    if (first > 64 && first > kept.length / 2) {
      kept = kept.slice(first);
      first = 0;
    }
  }

  // The entries that are too many go with the next append: a poll may be reading them now.
  const grow = (length: number) => {
    bytes += length;
  };

  const currentFloor = () => head - (kept.length - first);

  return {
    get floor() {
      return currentFloor();
    },
    get head() {
      return head;
    },
    get kept() {
      return { entries: kept.length - first, bytes };
    },
    append(run) {
      for (const entry of run) {
        if (entry.seq !== head + 1) throw new Error(`Entry ${entry.seq} does not follow ${head}.`);
        kept.push(entry);
        bytes += entry.size;
        entry.onGrowth = grow;
        head = entry.seq;
      }
      shrink();
    },
    after(seq) {
      if (seq < currentFloor()) throw new Error(`Entries after ${seq} are not in memory.`);
      return seq < head ? kept.slice(seq - head) : none;
    },
  };
}
