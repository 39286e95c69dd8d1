import type { ReadyEntry } from './ready-entry.ts';
import { type RingBudget, createRingBudget } from './ring-budget.ts';

/** The recent log of one realm in memory: the entries after `floor` up to `head`, without holes. */
export interface Ring extends Disposable {
  readonly floor: number;
  readonly head: number;
  /** Stands for the one history that this ring has entries of. */
  readonly history: object;
  /** The term of the head. */
  readonly term: string;
  /** The head, or the entry before those that leave their ids to one that has not arrived. */
  readonly settled: number;
  /** How many entries are kept, and the bytes that they take. */
  readonly kept: { entries: number; bytes: number };
  /** Adds the entries that follow the head, and drops the oldest beyond the limits; of other rings, those beyond the budget. */
  append(run: readonly ReadyEntry[]): void;
  /** The entries after `seq`, which must not lie below the floor. */
  after(seq: number): readonly ReadyEntry[];
  /** The term of the entry with a number from the floor to the head; null for any other. */
  termAt(seq: number): string | null;
}

export interface RingLimits {
  ringEntriesMax: number;
  ringBytesMax: number;
}

const none: readonly ReadyEntry[] = [];

// Safe: it stands where nobody reads any more, so that an entry leaves memory when the ring drops it.
const dropped = {} as ReadyEntry;

/** Creates a ring. One that has a `budget` in common with others gives up its entries for them when it is not used. */
export const createRing = (
  floor: number,
  limits: RingLimits,
  floorTerm = '',
  budget = createRingBudget(Number.POSITIVE_INFINITY),
): Ring => new EntryRing(floor, limits, floorTerm, budget);

class EntryRing implements Ring {
  head: number;
  settled: number;
  readonly history = {};
  private readonly limits: RingLimits;
  private readonly budget: RingBudget;
  private entries: ReadyEntry[] = [];
  /** Entries before this index are dropped; the array is copied once they are the larger part of it. */
  private first = 0;
  private bytes = 0;
  /** The terms of the entries, each with the entry behind which it begins. */
  private terms: { after: number; term: string }[];

  constructor(floor: number, limits: RingLimits, floorTerm: string, budget: RingBudget) {
    this.head = floor;
    this.settled = floor;
    this.limits = limits;
    this.budget = budget;
    this.terms = [{ after: Number.NEGATIVE_INFINITY, term: floorTerm }];
  }

  get floor(): number {
    return this.head - (this.entries.length - this.first);
  }

  get term(): string {
    return this.terms.at(-1)?.term ?? '';
  }

  get kept(): Ring['kept'] {
    return { entries: this.entries.length - this.first, bytes: this.bytes };
  }

  append(run: readonly ReadyEntry[]): void {
    for (const entry of run) {
      if (entry.seq !== this.head + 1) throw new Error(`Entry ${entry.seq} does not follow ${this.head}.`);
      this.entries.push(entry);
      this.count(entry.size);
      entry.onGrowth = this.grow;
      if (entry.term !== this.term) this.terms.push({ after: this.head, term: entry.term });
      this.head = entry.seq;
      if (!entry.isReserved) this.settled = entry.seq;
    }
    this.shrink();
    this.budget.use(this);
  }

  after(seq: number): readonly ReadyEntry[] {
    if (seq < this.floor) throw new Error(`Entries after ${seq} are not in memory.`);
    if (seq === this.head) return none;
    const entries = this.entries.slice(seq - this.head);
    this.budget.use(this);
    return entries;
  }

  termAt(seq: number): string | null {
    if (seq < this.floor || seq > this.head) return null;
    return this.terms.findLast(({ after }) => seq > after)?.term ?? null;
  }

  release(bytes: number): void {
    const enough = this.bytes - bytes;
    const before = this.first;
    while (this.bytes > enough && this.first < this.entries.length) this.drop();
    this.budget.countReleased(this.first - before);
    this.tidy();
  }

  [Symbol.dispose](): void {
    while (this.first < this.entries.length) this.drop();
    this.tidy();
    this.budget.remove(this);
  }

  /** The entries that are too many go with the next append: a poll may be reading them now. */
  private readonly grow = (length: number) => this.count(length);

  private count(bytes: number): void {
    this.bytes += bytes;
    this.budget.count(bytes);
  }

  private drop(): void {
    const oldest = this.entries[this.first];
    this.count(-(oldest?.size ?? 0));
    if (oldest) oldest.onGrowth = null;
    this.entries[this.first] = dropped;
    this.first += 1;
  }

  private shrink(): void {
    const { ringEntriesMax, ringBytesMax } = this.limits;
    const count = () => this.entries.length - this.first;
    while (count() > ringEntriesMax || (this.bytes > ringBytesMax && count() > 1)) this.drop();
    this.tidy();
  }

  private tidy(): void {
    while ((this.terms[1]?.after ?? Number.POSITIVE_INFINITY) < this.floor) this.terms.shift();
    if (this.first === this.entries.length || (this.first > 64 && this.first > this.entries.length / 2)) {
      this.entries = this.entries.slice(this.first);
      this.first = 0;
    }
  }
}
