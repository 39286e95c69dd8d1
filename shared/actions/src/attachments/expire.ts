import { tables, type Tx } from '@parley/db';
import { unreferencedAttachmentCondition } from '@parley/model';
import { and, eq } from 'drizzle-orm';

import { deleteAttachment } from './remove.ts';

const { attachments } = tables;

/** Deletes an upload unless something refers to it by now, or is about to. */
export async function expire(tx: Tx, realmId: number, id: number, before: Date) {
  const these = and(eq(attachments.id, id), eq(attachments.realmId, realmId));
  const [held] = await tx.select().from(attachments).where(these).for('update', { skipLocked: true });
  // Asked again by a statement that sees what was committed before the row was held.
  const [row] = held
    ? await tx
        .select()
        .from(attachments)
        .where(and(these, unreferencedAttachmentCondition(before)))
    : [];
  return row ? await deleteAttachment(tx, row) : { events: [], keepsRules: true };
}
