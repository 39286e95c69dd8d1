/** A ring, as whoever divides the memory of a process among rings sees it. */
interface Budgeted {
  /** Drops the oldest entries, at least so many bytes if it has as many. */
  release(bytes: number): void;
}

/** The memory that all rings of a process have together. It goes to those that are used: the others are read from Postgres. */
export interface RingBudget {
  readonly bytesMax: number;
  /** What the rings hold now. It may be above `bytesMax` until one of them is used again. */
  readonly bytes: number;
  /** A ring has grown by some bytes, or shrunk. */
  count(bytes: number): void;
  /** A ring drops entries for others. */
  countReleased(entries: number): void;
  /** A ring was appended to, or read. Whatever is above the budget is taken from those that were not for longest. */
  use(ring: Budgeted): void;
  /** A ring is not used any more. */
  remove(ring: Budgeted): void;
  /** Empties rings that were not used since the time before the last call. */
  expire(): void;
}

/** Creates a budget. Entries that are dropped for it are counted in `released`. */
export const createRingBudget = (bytesMax: number, released = { count: 0 }): RingBudget =>
  new LeastRecentlyUsed(bytesMax, released);

class LeastRecentlyUsed implements RingBudget {
  readonly bytesMax: number;
  bytes = 0;
  private readonly released: { count: number };
  /** The least recently used first, each with the period in which it was used last. */
  private readonly rings = new Map<Budgeted, number>();
  private period = 0;

  constructor(bytesMax: number, released: { count: number }) {
    this.bytesMax = bytesMax;
    this.released = released;
  }

  count(bytes: number): void {
    this.bytes += bytes;
  }

  countReleased(entries: number): void {
    this.released.count += entries;
  }

  use(ring: Budgeted): void {
    this.rings.delete(ring);
    this.rings.set(ring, this.period);
    for (const oldest of this.rings.keys()) {
      const excess = this.bytes - this.bytesMax;
      if (excess <= 0) return;
      oldest.release(excess);
      // One that is empty takes part again when it is used.
      if (this.bytes > this.bytesMax && oldest !== ring) this.rings.delete(oldest);
    }
  }

  remove(ring: Budgeted): void {
    this.rings.delete(ring);
  }

  expire(): void {
    this.period += 1;
    for (const [ring, period] of this.rings) {
      if (period >= this.period - 1) return;
      ring.release(Number.POSITIVE_INFINITY);
      this.rings.delete(ring);
    }
  }
}
