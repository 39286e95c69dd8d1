import { isStatementTooLong } from '@parley/db';
import { type Caller, type Demand, FairQueue, processDemand } from '@parley/kit';
import { notReady } from '@parley/protocol';

/** A reply, and the length of its text. */
export interface Reply {
  response: Response;
  length: number;
}

/** Of reads that are under way, a node needs no more than keep its processor and its connections to Postgres busy. */
const atOnceMax = 32;
/** Nobody is charged for shorter replies. */
const unchargedLength = 128 * 1024;
/** The pace of longer ones while others want something, for each of a reader’s places: a quarter of a MiB a second. */
const lengthPerMs = 256;
/** So much of it may come at once: whoever opens one conversation after the other, in which somebody writes at length, waits for none. */
const burstMs = 2000;
/** Nobody is charged for reads that take no longer, and others for twice as long as they take beyond it. */
const unchargedMs = 50;
const slowness = 2;
/** How many reads of an account, and of an address without one, are under way at once. */
const ofAccountMax = 2;
const ofAddressMax = 8;
/** How many searches are under way at once, and of each reader: a search keeps a processor of Postgres busy. */
const searches = { all: 2, ofCaller: 1 };
/** While others want something, there is one at a time, and where more wait, three times as long without any. */
const searchesBesideOthers = { all: 1, placeRest: 3 };
/** The longest time that a read waits for its turn. */
const waitMsMax = 30_000;

/** Reads, whose replies may be large, in fair shares: nobody pays for what others read. */
export class ReadTurns {
  private readonly ofAccounts = new FairQueue({
    atOnce: { all: atOnceMax, ofCaller: ofAccountMax },
    waitingMax: { all: 10_000, ofCaller: 200 },
    burstMs,
  });
  private readonly ofAddresses = new FairQueue({
    atOnce: { all: atOnceMax, ofCaller: ofAddressMax },
    waitingMax: { all: 10_000, ofCaller: 200 },
    burstMs,
  });
  private readonly ofSearches: FairQueue;

  constructor(demand: Demand = processDemand) {
    this.ofSearches = new FairQueue({
      atOnce: searches,
      waitingMax: { all: 1000, ofCaller: 50 },
      besideOthers: searchesBesideOthers,
      demand,
    });
  }

  /**
   * Reads when it is the reader's turn.
   *
   * @throws SERVER_NOT_READY for more than may wait, and for what has waited too long
   */
  async take(reader: Caller, read: () => Promise<Reply>): Promise<Reply> {
    const isAccount = typeof reader.key === 'number';
    const queue = isAccount ? this.ofAccounts : this.ofAddresses;
    const pace = lengthPerMs * (isAccount ? ofAccountMax : ofAddressMax);
    if (queue.isFull(reader)) throw notReady('reads');
    const msOfTime = (tookMs: number) => slowness * (tookMs - unchargedMs);
    return await queue.run(reader, inTime(read), {
      factor: 0,
      msOf: ({ length }, tookMs) => Math.max(length > unchargedLength ? length / pace : 0, msOfTime(tookMs)),
      // Whoever asks for what takes too long pays for it. Nobody pays for a server that does not answer.
      msOfFailure: (error, tookMs) => (isStatementTooLong(error) ? msOfTime(tookMs) : 0),
    });
  }

  /**
   * Searches when it is the reader's turn. While others want something, the reader's next search waits for three times as
   * long as this one took.
   *
   * @throws SERVER_NOT_READY for more than may wait, and for what has waited too long
   */
  async search<Result>(reader: Caller, search: () => Promise<Result>): Promise<Result> {
    if (this.ofSearches.isFull(reader)) throw notReady('reads');
    return await this.ofSearches.run(reader, inTime(search));
  }
}

/** Work that is refused if it begins too late. */
function inTime<Result>(work: () => Promise<Result>): () => Promise<Result> {
  const askedMs = performance.now();
  return async () => {
    if (performance.now() - askedMs > waitMsMax) throw notReady('reads');
    return await work();
  };
}
