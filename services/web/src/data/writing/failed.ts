import { client } from '../live/follow.ts';
import { endSending, openDraft, sending } from './composition.ts';

/** Moves a message that could not be sent back into the box. */
export function editFailed(localId: string): void {
  const draft = sending.peek().get(localId);
  endSending(localId);
  const message = client()?.outbox.discard(localId);
  if (draft && message) openDraft(draft);
}

/** Deletes a message that could not be sent. */
export const discardFailed = (localId: string): void => void client()?.outbox.discard(localId);
