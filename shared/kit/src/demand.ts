/** Whoever something is done for. */
export interface Caller {
  /** Distinct among all callers of a process: an account's id, an address. */
  readonly key: string | number | symbol;
  /** The organization that is asked, where that is known. */
  readonly organization?: number;
}

/** Whoever has asked for something counts as wanting the process for so long, because they may ask for more. */
const wantedMs = 250;
/** So many requests are remembered: of what is asked for in a quarter of a second, where that is more. */
const notesMax = 256;

/** Who wants the time of a process, of which callers with costly work leave some to the others. */
export class Demand {
  private readonly notes: { caller: Caller; atMs: number }[] = [];
  private count = 0;

  /** Somebody has asked for something. */
  note(caller: Caller): void {
    this.notes[this.count % notesMax] = { caller, atMs: performance.now() };
    this.count += 1;
  }

  /** Until when one of those wants the process who are asked for; 0 if none does. */
  untilMs(isAskedFor: (caller: Caller) => boolean): number {
    const sinceMs = performance.now() - wantedMs;
    for (let back = 1; back <= this.notes.length; back += 1) {
      const note = this.notes[(this.count - back) % notesMax];
      if (!note || note.atMs <= sinceMs) return 0;
      if (isAskedFor(note.caller)) return note.atMs + wantedMs;
    }
    return 0;
  }
}

/** Noted by all requests to this process, and looked at by its fair queues. */
export const processDemand = new Demand();
