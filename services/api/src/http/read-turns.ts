import { setTimeout as sleep } from 'node:timers/promises';

import { type Turns, createTurns } from '@parley/kit';
import { notReady } from '@parley/protocol';

/** A reply, and the length of its text. */
export interface Reply {
  response: Response;
  length: number;
}

/** Who asks: an account, or whoever has none and comes from an address. */
export type Requester = { userId: number } | { address: string };

/** Shorter replies are not paced. */
const unpacedLength = 128 * 1024;
/** How fast a reader gets longer ones in each of their turns: half a MiB a second. */
const lengthPerMs = 512;
/** The longest time that a read waits for its turn. */
const waitMsMax = 30_000;

export interface ReadTurnsOptions {
  /** A clock that never goes back. */
  nowMs?: () => number;
  wait?: (ms: number) => Promise<void>;
}

/**
 * Of reads, whose replies may be large, each reader has a few at once, and large ones at a steady pace, so that nobody
 * pays for what others read.
 */
export interface ReadTurns {
  /** @throws SERVER_NOT_READY for more than may wait, and for what has waited too long */
  take(reader: Requester, read: () => Promise<Reply>): Promise<Reply>;
}

export function createReadTurns({
  nowMs = () => performance.now(),
  wait = (ms) => sleep(ms, undefined, { ref: false }),
}: ReadTurnsOptions = {}): ReadTurns {
  const byUser = createTurns<number>({ atOnce: 2, waitingMax: 200 });
  const byAddress = createTurns<string>({ atOnce: 8, waitingMax: 200 });

  async function take<Key>(turns: Turns<Key>, key: Key, read: () => Promise<Reply>): Promise<Reply> {
    if (turns.isFull(key)) throw notReady('reads');
    const askedMs = nowMs();
    let length = 0;
    const readInTime = async () => {
      if (nowMs() - askedMs > waitMsMax) throw notReady('reads');
      const reply = await read();
      length = reply.length;
      return reply;
    };
    return await turns.take(key, readInTime, async () => {
      if (length > unpacedLength) await wait(length / lengthPerMs);
    });
  }

  return {
    take: (reader, read) =>
      'userId' in reader ? take(byUser, reader.userId, read) : take(byAddress, reader.address, read),
  };
}
