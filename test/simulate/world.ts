/** A process or a server of the simulation: whatever dies and hangs as a whole. */
export interface Place {
  readonly name: string;
  /** Differs from that of every other place of its world. */
  readonly number: number;
  isAlive: boolean;
  /** Until then nothing happens there, and afterwards everything that is late. */
  hangsUntilMs: number;
}

interface Happening {
  dueMs: number;
  readonly order: number;
  readonly place: Place;
  readonly work: () => void;
  isCancelled: boolean;
}

/** Resolves when all that follows without a wait is over: ticks take turns with the microtasks, which are run until none is left. */
const settled = () => new Promise<void>((resolve) => process.nextTick(resolve));

/**
 * Runs what happens in one order that follows from its seed. Each happening belongs to a place, and all that follows from it
 * without a wait is over before the next one begins: so whatever is asked for meanwhile was asked for by that place.
 */
export class World {
  nowMs = 1_700_000_000_000;
  /** Where nothing of what is simulated runs: whatever happens to places happens from there. */
  readonly outside: Place = { name: 'outside', number: 0, isAlive: true, hangsUntilMs: 0 };
  place: Place = this.outside;
  /** What happened, as a number: two runs of one schedule have the same. */
  digest = 0;
  happenings = 0;
  private readonly heap: Happening[] = [];
  private orders = 0;
  private places = 0;
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** Returns a number from 0 to 1, by mulberry32. */
  readonly random = (): number => {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };

  /** Returns a UUID of version 4. */
  uuid(): string {
    const hex = (digits: number) =>
      Math.floor(this.random() * 16 ** digits)
        .toString(16)
        .padStart(digits, '0');
    return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
  }

  below(count: number): number {
    return Math.floor(this.random() * count);
  }

  /** Returns how long a message is under way: mostly about a millisecond, now and then much longer. */
  latencyMs(): number {
    const kind = this.random();
    if (kind < 0.85) return 0.2 + this.random() * 2;
    return kind < 0.97 ? this.random() * 30 : this.random() * 300;
  }

  createPlace(name: string): Place {
    this.places += 1;
    return { name, number: this.places, isAlive: true, hangsUntilMs: 0 };
  }

  /** Lets something happen at a place after a while. */
  after(place: Place, ms: number, work: () => void): Happening {
    return this.at(place, this.nowMs + Math.max(0, ms), work);
  }

  at(place: Place, dueMs: number, work: () => void): Happening {
    this.orders += 1;
    const happening = { dueMs, order: this.orders, place, work, isCancelled: false };
    push(this.heap, happening);
    return happening;
  }

  /** Goes on until `isOver` says so, or nothing happens before `untilMs`. */
  async run(untilMs: number, isOver: () => boolean): Promise<void> {
    for (let next = this.heap[0]; next && next.dueMs <= untilMs; next = this.heap[0]) {
      pop(this.heap);
      const { place, isCancelled } = next;
      if (isCancelled || !place.isAlive) continue;
      if (place.hangsUntilMs > next.dueMs) {
        next.dueMs = place.hangsUntilMs;
        push(this.heap, next);
        continue;
      }
      this.nowMs = Math.max(this.nowMs, next.dueMs);
      this.place = place;
      this.happenings += 1;
      this.digest = (Math.imul(this.digest, 31) + Math.floor(this.nowMs * 1000) + place.number) | 0;
      next.work();
      await settled();
      if (isOver()) return;
    }
    this.nowMs = Math.max(this.nowMs, untilMs);
  }
}

const isBefore = (one: Happening, other: Happening): boolean =>
  one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.order < other.order);

function push(heap: Happening[], added: Happening): void {
  let at = heap.push(added) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (!parent || !isBefore(added, parent)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = added;
}

function pop(heap: Happening[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    const [left, right] = [heap[below], heap[below + 1]];
    if (!left) break;
    if (right && isBefore(right, left)) below += 1;
    const child = heap[below];
    if (!child || !isBefore(child, last)) break;
    heap[at] = child;
    at = below;
  }
  heap[at] = last;
}
