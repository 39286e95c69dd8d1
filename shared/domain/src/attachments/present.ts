import type { tables } from '@parley/db';
import { type Attachment, type Draft, events, to } from '@parley/protocol';

export type AttachmentRow = typeof tables.attachments.$inferSelect;

type Presentable = Pick<AttachmentRow, 'id' | 'name' | 'pathId' | 'size' | 'createdAt'>;

/** Row to Attachment. */
export function presentAttachment(row: Presentable, messages: Attachment['messages']): Attachment {
  return {
    id: row.id,
    name: row.name,
    path_id: row.pathId,
    size: row.size,
    create_time: row.createdAt.getTime(),
    messages,
  };
}

type Owned = Presentable & { ownerId: number };

/** For the owner of an upload; the log adds which messages refer to it, and the space that is used. */
export function draftAttachment(op: 'add' | 'update', row: Owned): Draft {
  const fields = { attachment: presentAttachment(row, []), upload_space_used: 0 };
  return {
    ...to.user({ id: row.ownerId }, events.attachment[op](fields)),
    attachment: { id: row.id },
  };
}

export function draftRemoval({ id, ownerId }: Pick<Owned, 'id' | 'ownerId'>): Draft {
  const event = events.attachment.remove({ attachment: { id }, upload_space_used: 0 });
  return { ...to.user({ id: ownerId }, event), attachment: { id } };
}
