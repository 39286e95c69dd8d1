import { type Tx, type AttachmentRow, tables } from '@parley/db';
import { limits } from '@parley/protocol';
import { and, eq, inArray, asc } from 'drizzle-orm';

import { mayReadAttachment } from '../access/attachments.ts';
import type { Actor } from '../actor.ts';
import { toUploadPathId } from './upload-path.ts';

/** Returns the uploads that a message links to and that the actor may read. `paths` are written as in the message. */
export async function listReadableAttachments(
  tx: Tx,
  actor: Actor,
  paths: readonly string[],
  lock?: 'key share',
): Promise<AttachmentRow[]> {
  if (paths.length === 0) return [];
  const { attachments } = tables;
  const pathIds = paths.slice(0, limits.attachmentsPerMessage).map(toUploadPathId);
  const query = tx
    .select()
    .from(attachments)
    .where(and(eq(attachments.realmId, actor.realm.id), inArray(attachments.pathId, pathIds)))
    .orderBy(asc(attachments.id));
  const readable: AttachmentRow[] = [];
  for (const row of await (lock ? query.for(lock) : query)) {
    if (await mayReadAttachment(tx, actor, row)) readable.push(row);
  }
  return readable;
}
