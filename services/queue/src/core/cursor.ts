import { ID_STEP, unloggedIdOffset } from '@parley/protocol';

/** The position of a queue's client: it has acknowledged everything up to `lastEventId`. */
export interface Cursor {
  registeredAt: number;
  lastEventId: number;
}

/** Returns the entry after which the log has to be read to answer the cursor. */
export function readsAfter({ registeredAt, lastEventId }: Cursor): number {
  const seq = Math.floor(lastEventId / ID_STEP);
  if (seq <= registeredAt) return registeredAt;
  // Below the ids of ephemeral events, the client may not have received all that the entry expands to.
  return lastEventId - seq * ID_STEP < unloggedIdOffset ? seq - 1 : seq;
}

/** Returns the entry that the log must have reached, or the cursor was not given out by it. */
export function requiredHead({ registeredAt, lastEventId }: Cursor): number {
  // The id after the cursor must still belong to an entry that was scanned: a heartbeat may take it.
  return Math.max(registeredAt, Math.floor((lastEventId + 1) / ID_STEP));
}

/**
 * Returns the id of a heartbeat. It moves the cursor over all that was filtered out up to `head`, never past an unsent
 * event.
 */
export function heartbeatId(head: number, lastEventId: number): number {
  return Math.max(head * ID_STEP + unloggedIdOffset, lastEventId + 1);
}
