import { type EventBatch, createEventBatch } from './collect-events.ts';
import type { Queue } from './queue.ts';
import type { Ring } from './ring.ts';

/** One request that may wait. `Reply` is whatever it is to be answered through. */
export interface Poll<Reply> {
  readonly queue: Queue;
  readonly lastEventId: number;
  readonly reply: Reply;
  /** When it is answered with a heartbeat, if no event arrives before. */
  readonly dueMs: number;
  /** The log that it waits for: every waiting poll has been tested against all up to the head. */
  readonly log: Pick<Ring, 'head' | 'term' | 'settled' | 'history'>;
  /** Where it waits. Before it does: where the poll before it waited, if that is known. */
  slot: Slot<Reply> | null;
  /** Key of the entry that was last tested against it: an entry may reach one user in several ways. */
  testedKey: number;
  /** The events that the run under way holds for it. */
  batch: EventBatch | null;
}

/**
 * Where a queue's polls wait, one after the other. It stays in all indexes while the client is away for a moment: so a
 * poll that comes and goes touches none of them.
 */
export interface Slot<Reply> {
  readonly queue: Queue;
  /** It is in the indexes. */
  isKept: boolean;
  waiting: Poll<Reply> | null;
  /** The next slot of the same user. */
  nextOfUser: Slot<Reply> | null;
  receivesAllPublic: boolean;
  /** When it is looked at: not after its poll is due. */
  dueMs: number;
}

/** Returns the batch of the run under way. */
export function batchOf<Reply>(poll: Poll<Reply>): EventBatch {
  poll.batch ??= createEventBatch();
  return poll.batch;
}
