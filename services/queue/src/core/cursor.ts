import { ID_STEP, besideLog } from '@parley/protocol';

/** Where a queue's client is, as far as it has told: everything up to `lastEventId` is acknowledged. */
export interface Cursor {
  registeredAt: number;
  lastEventId: number;
}

/** The log has to be read after this entry to answer the cursor. */
export function readsAfter({ registeredAt, lastEventId }: Cursor): number {
  const seq = Math.floor(lastEventId / ID_STEP);
  if (seq <= registeredAt) return registeredAt;
  // Short of what stands beside the log, more of what the entry expands to may be unheard.
  return lastEventId - seq * ID_STEP < besideLog ? seq - 1 : seq;
}

/** The log must have come this far for the cursor to mean anything. */
export function knowsUpTo({ registeredAt, lastEventId }: Cursor): number {
  // The id after the cursor must still belong to an entry that was scanned: a heartbeat may take it.
  return Math.max(registeredAt, Math.floor((lastEventId + 1) / ID_STEP));
}

/** Moves the client's cursor over all that was filtered out up to `head`, never past anything it has not heard. */
export function heartbeatId(head: number, lastEventId: number): number {
  return Math.max(head * ID_STEP + besideLog, lastEventId + 1);
}
