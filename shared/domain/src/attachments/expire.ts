import { type Tx, tables } from '@parley/db';
import { type SQL, and, asc, eq, isNull, lt, or, sql } from 'drizzle-orm';

import { deleteRow } from './remove.ts';

const { attachments } = tables;

/** Uploads that no message refers to and none has since `before`. */
const isUnreferenced = (before: Date): SQL | undefined =>
  and(
    lt(attachments.createdAt, before),
    or(isNull(attachments.releasedAt), lt(attachments.releasedAt, before)),
    sql`not exists (select from message_attachments r where r.attachment_id = ${attachments.id})`,
  );

/** Uploads of all realms that may go, oldest first. */
export async function listUnreferenced(tx: Tx, before: Date, limit: number) {
  return await tx
    .select({ id: attachments.id, realmId: attachments.realmId })
    .from(attachments)
    .where(isUnreferenced(before))
    .orderBy(asc(attachments.createdAt))
    .limit(limit);
}

/** Deletes an upload unless something refers to it by now, or is about to. */
export async function expire(tx: Tx, realmId: number, id: number, before: Date) {
  const these = and(eq(attachments.id, id), eq(attachments.realmId, realmId));
  const [held] = await tx.select().from(attachments).where(these).for('update', { skipLocked: true });
  // Asked again by a statement that sees what was committed before the row was held.
  const [row] = held
    ? await tx
        .select()
        .from(attachments)
        .where(and(these, isUnreferenced(before)))
    : [];
  return row ? await deleteRow(tx, row) : { events: [], keepsRules: true };
}
