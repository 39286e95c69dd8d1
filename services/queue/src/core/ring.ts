import type { ReadyEntry } from './ready-entry.ts';

/** The recent log of one realm in memory: the entries after `floor` up to `head`, without holes. */
export interface Ring {
  readonly floor: number;
  readonly head: number;
  /** The head, or the entry before those that leave their ids to one that has not arrived. */
  readonly settled: number;
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

export const createRing = (floor: number, limits: RingLimits): Ring => new EntryRing(floor, limits);

class EntryRing implements Ring {
  head: number;
  settled: number;
  private readonly limits: RingLimits;
  private entries: ReadyEntry[] = [];
  /** Entries before this index are dropped; the array is copied once they are the larger part of it. */
  private first = 0;
  private bytes = 0;

  constructor(floor: number, limits: RingLimits) {
    this.head = floor;
    this.settled = floor;
    this.limits = limits;
  }

  get floor(): number {
    return this.head - (this.entries.length - this.first);
  }

  get kept(): Ring['kept'] {
    return { entries: this.entries.length - this.first, bytes: this.bytes };
  }

  append(run: readonly ReadyEntry[]): void {
    for (const entry of run) {
      if (entry.seq !== this.head + 1) throw new Error(`Entry ${entry.seq} does not follow ${this.head}.`);
      this.entries.push(entry);
      this.bytes += entry.size;
      entry.onGrowth = this.grow;
      this.head = entry.seq;
      if (!entry.isReserved) this.settled = entry.seq;
    }
    this.shrink();
  }

  after(seq: number): readonly ReadyEntry[] {
    if (seq < this.floor) throw new Error(`Entries after ${seq} are not in memory.`);
    return seq < this.head ? this.entries.slice(seq - this.head) : none;
  }

  /** The entries that are too many go with the next append: a poll may be reading them now. */
  private readonly grow = (length: number) => {
    this.bytes += length;
  };

  private shrink(): void {
    const { ringEntriesMax, ringBytesMax } = this.limits;
    const count = () => this.entries.length - this.first;
    while (count() > ringEntriesMax || (this.bytes > ringBytesMax && count() > 1)) {
      const oldest = this.entries[this.first];
      this.bytes -= oldest?.size ?? 0;
      if (oldest) oldest.onGrowth = null;
      this.first += 1;
    }
    if (this.first > 64 && this.first > this.entries.length / 2) {
      this.entries = this.entries.slice(this.first);
      this.first = 0;
    }
  }
}
