import { type Heard, createHeard } from './collect-events.ts';
import type { Queue } from './queue.ts';

/** One waiting request. `Reply` is whatever it is to be answered through. */
export interface Poll<Reply> {
  readonly queue: Queue;
  readonly lastEventId: number;
  readonly reply: Reply;
  /** When it is answered with a heartbeat, if nothing comes before. */
  readonly dueMs: number;
  /** Mark of the entry that was last tested against it: an entry may reach one user by several ways. */
  tested: number;
  /** What the run of entries that is being delivered holds for it. */
  heard: Heard | null;
}

export interface Question<Reply> {
  queue: Queue;
  lastEventId: number;
  reply: Reply;
  dueMs: number;
}

export function createPoll<Reply>({ queue, lastEventId, reply, dueMs }: Question<Reply>): Poll<Reply> {
  return { queue, lastEventId, reply, dueMs, tested: 0, heard: null };
}

/** What the poll holds for the run under way. */
export function heardBy<Reply>(poll: Poll<Reply>): Heard {
  poll.heard ??= createHeard();
  return poll.heard;
}
