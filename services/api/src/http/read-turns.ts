import { type Caller, FairQueue } from '@parley/kit';
import { notReady } from '@parley/protocol';

/** A reply, and the length of its text. */
export interface Reply {
  response: Response;
  length: number;
}

/** Of reads that are under way, a node needs no more than keep its processor and its connections to Postgres busy. */
const atOnceMax = 32;
/** Whoever reads counts as having taken so much time for a reply of this length, if not more: the network sends it, too. */
const lengthPerMs = 4096;
/** The longest time that a read waits for its turn. */
const waitMsMax = 30_000;

/** Reads, whose replies may be large, in fair shares: nobody pays for what others read. */
export class ReadTurns {
  private readonly ofAccounts = new FairQueue({
    atOnce: { all: atOnceMax, ofCaller: 2 },
    waitingMax: { all: 10_000, ofCaller: 200 },
  });
  private readonly ofAddresses = new FairQueue({
    atOnce: { all: atOnceMax, ofCaller: 8 },
    waitingMax: { all: 10_000, ofCaller: 200 },
  });

  /**
   * Reads when it is the reader's turn.
   *
   * @throws SERVER_NOT_READY for more than may wait, and for what has waited too long
   */
  async take(reader: Caller, read: () => Promise<Reply>): Promise<Reply> {
    const queue = typeof reader.key === 'number' ? this.ofAccounts : this.ofAddresses;
    if (queue.isFull(reader)) throw notReady('reads');
    const askedMs = performance.now();
    const readInTime = async () => {
      if (performance.now() - askedMs > waitMsMax) throw notReady('reads');
      return await read();
    };
    return await queue.run(reader, readInTime, { msOf: ({ length }) => length / lengthPerMs });
  }
}
