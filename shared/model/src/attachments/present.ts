import type { AttachmentRow } from '@parley/db';
import type { Attachment } from '@parley/protocol';

import { toSeconds } from '../time.ts';

export type Presentable = Pick<AttachmentRow, 'id' | 'name' | 'pathId' | 'size' | 'createdAt'>;

export function presentAttachment(row: Presentable, messages: Attachment['messages']): Attachment {
  return {
    id: row.id,
    name: row.name,
    path_id: row.pathId,
    size: row.size,
    create_time: toSeconds(row.createdAt) * 1000,
    messages,
  };
}
