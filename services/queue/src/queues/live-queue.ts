import { type QueueRecord, queueTimes } from '@parley/protocol';

import type { Slot } from '../core/poll.ts';
import { Queue } from '../core/queue.ts';
import type { QueueCredentials } from './queue-credentials.ts';

export const renewedEveryMs = queueTimes.renewedEverySeconds * 1000;

/** A queue that this node has served, until it idles or ends. */
export interface LiveQueue {
  readonly queue: Queue;
  /** The newest event that its client has acknowledged; undefined before its first poll. */
  acknowledged: number | undefined;
  /** When its last poll began or ended. */
  seenMs: number;
  /** When it last parked a poll, or a heartbeat was due for polls that do not wait. */
  heartbeatMs: number;
  /** When it is written to the registry next, if it is polled until then. */
  dueMs: number;
  /** Its latest waiting poll is here, and the registry knows. */
  isHolder: boolean;
  /** Its owner's credentials, once they have been looked up. */
  credentials: QueueCredentials | null;
  /** The Authorization header that was last verified; null when the credentials are looked up anew. */
  verifiedHeader: string | null;
  /** It was polled since it was last written to the registry, and waits for its turn. */
  isTouched: boolean;
  /** This node serves it no longer, or by another object. */
  isForgotten: boolean;
  /** Where its polls wait; null before the first one does. */
  slot: Slot<unknown> | null;
}

/** Creates a queue as it was found in the registry: whoever wrote it there has just given it time enough. */
export function createLiveQueue(record: QueueRecord, nowMs: number): LiveQueue {
  return {
    queue: new Queue(record),
    acknowledged: record.acknowledged,
    seenMs: nowMs,
    heartbeatMs: record.registeredMs ?? nowMs,
    dueMs: nowMs + renewedEveryMs,
    isHolder: false,
    credentials: null,
    verifiedHeader: null,
    isTouched: false,
    isForgotten: false,
    slot: null,
  };
}
