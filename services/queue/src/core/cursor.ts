import type { Queue } from './queue.ts';

/** What the position of a client depends on, besides the last id that it has acknowledged. */
type Positioned = Pick<Queue, 'registeredAt' | 'ids'>;

/** Returns the entry after which the log has to be read to answer a client. */
export function readsAfter({ registeredAt, ids }: Positioned, lastEventId: number): number {
  const seq = ids.seqOf(lastEventId);
  if (seq <= registeredAt) return registeredAt;
  // Below the ids that belong to no entry, the client may not have received all that the entry became.
  return lastEventId < ids.behind(seq) ? seq - 1 : seq;
}

/** Returns the entry that the log must have reached, or the cursor was not given out by it. */
export function requiredHead({ registeredAt, ids }: Positioned, lastEventId: number): number {
  return Math.max(registeredAt, ids.seqOf(lastEventId));
}

/**
 * Returns the id of a heartbeat. It moves the cursor over all that was filtered out up to `settled`, never past an
 * unsent event. Returns null when the log has no id left for it.
 */
export function heartbeatId({ ids }: Positioned, settled: number, lastEventId: number): number | null {
  const id = Math.max(ids.behind(settled), lastEventId + 1);
  return id < ids.firstOf(settled + 1) ? id : null;
}
