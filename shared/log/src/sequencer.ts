import type { Entry } from '@parley/protocol';

import { type Position, follows, termOf } from './position.ts';

/** So many entries may wait behind a hole. More are dropped, and read from Postgres later. */
const waitingMax = 10_000;

/**
 * Puts the entries of one realm in order. Each is passed on once, none past a hole, and none that belongs to another
 * history than those before it. It is pure.
 */
export interface Sequencer {
  readonly head: number;
  /** The term of the head. */
  readonly term: string;
  /** Whether an entry waits for one before it. */
  readonly hasHole: boolean;
  /** The last of the entries that wait. */
  readonly lastWaiting: Position | null;
  /** Accepts an entry from any carrier, in any order. Returns the run that may be passed on now. */
  offer(entry: Entry): Entry[];
}

/** Creates a sequencer. `onStranger` receives entries of another history: its own or theirs has lost its end. */
export const createSequencer = (
  start: Position & { epoch: string },
  onStranger: (entry: Entry) => void,
): Sequencer => new TermSequencer(start, onStranger);

class TermSequencer implements Sequencer {
  head: number;
  term: string;
  private readonly epoch: string;
  private readonly onStranger: (entry: Entry) => void;
  private readonly waiting = new Map<number, Entry>();
  /** The last entries of the terms before, as far as they were passed on. */
  private readonly ends = new Map<string, number>();

  constructor({ seq, term, epoch }: Position & { epoch: string }, onStranger: (entry: Entry) => void) {
    this.epoch = epoch;
    this.head = seq;
    this.term = term;
    this.onStranger = onStranger;
  }

  get hasHole(): boolean {
    return this.waiting.size > 0;
  }

  get lastWaiting(): Position | null {
    let last: Entry | null = null;
    for (const entry of this.waiting.values()) if (!last || entry.seq > last.seq) last = entry;
    return last && { seq: last.seq, term: termOf(last) };
  }

  offer(entry: Entry): Entry[] {
    if (entry.seq <= this.head || (this.ends.has(termOf(entry)) && !this.isNext(entry))) {
      if (!this.isPast(entry)) this.onStranger(entry);
      return [];
    }
    if (entry.seq > this.head + 1) {
      if (this.waiting.size < waitingMax) this.waiting.set(entry.seq, entry);
      return [];
    }
    const run: Entry[] = [];
    for (let next: Entry | undefined = entry; next; next = this.waiting.get(this.head + 1)) {
      this.waiting.delete(next.seq);
      if (!this.isNext(next)) {
        this.onStranger(next);
        break;
      }
      this.advance(next);
      run.push(next);
    }
    return run;
  }

  /** An ended term goes on in what says that it follows the present one: an organization has moved back to that server. */
  private isNext(entry: Entry): boolean {
    return follows(entry, { seq: this.head, term: this.term }, this.epoch);
  }

  /** Whether an entry that comes late is one that was passed on; of the tail, from which this one started, it may be. */
  private isPast({ seq, ...entry }: Entry): boolean {
    const term = termOf(entry);
    return term === this.term ? seq <= this.head : seq <= (this.ends.get(term) ?? -1);
  }

  private advance(entry: Entry): void {
    const term = termOf(entry);
    if (term !== this.term) {
      this.ends.set(this.term, this.head);
      this.ends.delete(term);
    }
    this.head = entry.seq;
    this.term = term;
  }
}
