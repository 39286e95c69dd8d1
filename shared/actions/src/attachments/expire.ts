import { tables, type Tx } from '@parley/db';
import * as model from '@parley/model';
import { and, eq } from 'drizzle-orm';

import { deleteAttachment } from './remove.ts';

const { attachments } = tables;

/** Deletes an upload that nothing has referred to since `before`, unless it is referred to by now or is locked. */
export async function expire(tx: Tx, { realmId, id, before }: { realmId: number; id: number; before: Date }) {
  const isUpload = and(eq(attachments.id, id), eq(attachments.realmId, realmId));
  const [locked] = await tx.select().from(attachments).where(isUpload).for('update', { skipLocked: true });
  // Asked again by a statement that sees what was committed before the row was locked.
  const [row] = locked
    ? await tx
        .select()
        .from(attachments)
        .where(and(isUpload, model.attachments.unreferencedAttachmentCondition(before)))
    : [];
  return row ? await deleteAttachment(tx, row) : { events: [] };
}
expire.actionName = 'attachments.expire' as const;
