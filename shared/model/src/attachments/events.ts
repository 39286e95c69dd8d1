import { type PendingEvent, to, events } from '@parley/protocol';

import { type Presentable, presentAttachment } from './present.ts';

type Owned = Presentable & { ownerId: number };

/**
 * Returns an event for an upload's owner. The log adds the messages that link to the upload and the realm's used space.
 */
export function attachmentEvent(op: 'add' | 'update', row: Owned): PendingEvent {
  const fields = { attachment: presentAttachment(row, []), upload_space_used: 0 };
  return {
    ...to.user({ id: row.ownerId }, events.attachment[op](fields)),
    attachment: { id: row.id },
  };
}

export function attachmentRemovedEvent({ id, ownerId }: Pick<Owned, 'id' | 'ownerId'>): PendingEvent {
  const event = events.attachment.remove({ attachment: { id }, upload_space_used: 0 });
  return { ...to.user({ id: ownerId }, event), attachment: { id } };
}
