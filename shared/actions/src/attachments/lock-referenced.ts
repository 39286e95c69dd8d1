import type { AttachmentRow, Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import type { PendingEvent } from '@parley/protocol';

export interface LockedAttachments {
  rows: AttachmentRow[];
  /** Events for the owners, which are appended after the message. */
  events: PendingEvent[];
}

/**
 * Finds the uploads that a text links to and the actor may read, and locks them until the message is appended, so that
 * none is deleted in between and the append waits for no row. The lock does not keep others from referring to them.
 */
export async function lockReferenced(
  tx: Tx,
  actor: Actor,
  written: readonly string[],
): Promise<LockedAttachments> {
  const rows = await model.attachments.listReadableAttachments(tx, actor, written, 'key share');
  return { rows, events: rows.map((row) => model.attachments.attachmentEvent('update', row)) };
}
