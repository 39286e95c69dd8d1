/** Whoever something is done for. */
export interface Caller {
  /** Distinct among all callers of a process: an account's id, an address. */
  readonly key: string | number | symbol;
  /** The organization that is asked, where that is known. */
  readonly organization?: number;
}

interface Asked {
  caller: Caller;
  atMs: number;
}

/**
 * After somebody was answered, they count as wanting the process for so long, because they may ask for more. It is longer
 * than a process is held up that has too much to do: by then, it has not even read what they ask for.
 */
const wantedMs = 1000;
/** What takes longer waits for something else than the process, such as its sender. */
const underWayMsMax = 5000;
/** So many requests are remembered that were answered. */
const answeredMax = 256;

/** Who wants the time of a process, of which callers with costly work leave some to the others. */
export class Demand {
  private readonly underWay = new Set<Asked>();
  private readonly answered: Asked[] = [];
  private count = 0;

  /** Somebody has asked for something. Returns what is to be called when they are answered. */
  begin(caller: Caller): () => void {
    const asked = { caller, atMs: performance.now() };
    this.underWay.add(asked);
    return () => {
      if (!this.underWay.delete(asked)) return;
      this.answered[this.count % answeredMax] = { caller, atMs: performance.now() };
      this.count += 1;
    };
  }

  /** Until when one of those wants the process who are asked for; 0 if none does. */
  untilMs(isAskedFor: (caller: Caller) => boolean): number {
    const nowMs = performance.now();
    for (const { caller, atMs } of this.underWay) {
      if (nowMs - atMs < underWayMsMax && isAskedFor(caller)) return nowMs + wantedMs;
    }
    for (let back = 1; back <= this.answered.length; back += 1) {
      const last = this.answered[(this.count - back) % answeredMax];
      if (!last || nowMs - last.atMs >= wantedMs) return 0;
      if (isAskedFor(last.caller)) return last.atMs + wantedMs;
    }
    return 0;
  }
}

/** Told of all requests to this process, and looked at by its fair queues. */
export const processDemand = new Demand();
