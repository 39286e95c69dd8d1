import { ID_STEP } from '@parley/protocol';

/** Heartbeats are numbered from here within their entry, so that their ids say: all of this entry was heard. */
const heartbeatSub = ID_STEP / 2;

/** Where a queue's client is, as far as it has told: everything up to `lastEventId` is acknowledged. */
export interface Cursor {
  registeredAt: number;
  lastEventId: number;
}

/** The log has to be read after this entry to answer the cursor. */
export function readsAfter({ registeredAt, lastEventId }: Cursor): number {
  const seq = Math.floor(lastEventId / ID_STEP);
  if (seq <= registeredAt) return registeredAt;
  // Short of a heartbeat's id, more of what the entry expands to may be unheard.
  return lastEventId - seq * ID_STEP < heartbeatSub ? seq - 1 : seq;
}

/** The log must have come this far for the cursor to mean anything. */
export function knowsUpTo({ registeredAt, lastEventId }: Cursor): number {
  // The id after the cursor must still belong to an entry that was scanned: a heartbeat may take it.
  return Math.max(registeredAt, Math.floor((lastEventId + 1) / ID_STEP));
}

/** Moves the client's cursor over all that was filtered out up to `head`, never past anything it has not heard. */
export function heartbeatId(head: number, lastEventId: number): number {
  return Math.max(head * ID_STEP + heartbeatSub, lastEventId + 1);
}
