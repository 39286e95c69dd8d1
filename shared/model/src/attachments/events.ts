import { type PendingEvent, to, events } from '@parley/protocol';

import { type Presentable, presentAttachment } from './present.ts';

type Owned = Presentable & { ownerId: number };

/** For the owner of an upload; the log adds which messages refer to it, and the space that is used. */
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
