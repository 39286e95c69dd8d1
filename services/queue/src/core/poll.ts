import { type EventBatch, createEventBatch } from './collect-events.ts';
import type { Queue } from './queue.ts';

/** One waiting request. `Reply` is whatever it is to be answered through. */
export interface Poll<Reply> extends PollRequest<Reply> {
  /** Key of the entry that was last tested against it: an entry may reach one user in several ways. */
  testedKey: number;
  /** The events that the run under way holds for it. */
  batch: EventBatch | null;
}

export interface PollRequest<Reply> {
  readonly queue: Queue;
  readonly lastEventId: number;
  readonly reply: Reply;
  /** When it is answered with a heartbeat, if no event arrives before. */
  readonly dueMs: number;
  /** The log that it waits for: every waiting poll has been tested against all up to the head. */
  readonly log: { readonly head: number };
}

export function createPoll<Reply>(request: PollRequest<Reply>): Poll<Reply> {
  const { queue, lastEventId, reply, dueMs, log } = request;
  return { queue, lastEventId, reply, dueMs, log, testedKey: 0, batch: null };
}

/** The batch of the run under way. */
export function batchOf<Reply>(poll: Poll<Reply>): EventBatch {
  poll.batch ??= createEventBatch();
  return poll.batch;
}
