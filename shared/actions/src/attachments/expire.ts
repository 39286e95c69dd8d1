import { tables, type Tx } from '@parley/db';
import * as model from '@parley/model';
import { and, eq } from 'drizzle-orm';

import { deleteAttachment } from './remove.ts';

const { attachments } = tables;

/**
 * Deletes an upload that nothing has referred to since `before`, unless it is referred to by now or is locked. One that
 * its owner has kept in a text stays.
 */
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
  if (!row) return { events: [] };
  const unreferenced = await model.attachments.filterUnreferenced(tx, { id: realmId }, [id]);
  if (unreferenced.has(id)) return await deleteAttachment(tx, row);
  // It is not looked at again before as much time has passed.
  await tx.update(attachments).set({ releasedAt: new Date() }).where(isUpload);
  return { events: [] };
}
expire.actionName = 'attachments.expire' as const;
