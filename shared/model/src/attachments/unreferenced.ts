import { tables, type Tx } from '@parley/db';
import { type SQL, and, lt, or, isNull, sql, asc } from 'drizzle-orm';

const { attachments } = tables;

/**
 * Returns a condition on attachments: no message links to the upload, none has since `before`, and none that is yet to
 * be sent does.
 */
export const unreferencedAttachmentCondition = (before: Date): SQL | undefined =>
  and(
    lt(attachments.createdAt, before),
    or(isNull(attachments.releasedAt), lt(attachments.releasedAt, before)),
    sql`not exists (select from message_attachments r where r.attachment_id = ${attachments.id})`,
    sql`not exists (
      select from scheduled_message_attachments s join scheduled_messages m on m.id = s.scheduled_message_id
      where s.attachment_id = ${attachments.id} and m.sent_at is null)`,
  );

/** Returns uploads of all realms that may be deleted, oldest first. */
export async function listUnreferencedAttachments(tx: Tx, before: Date, limit: number) {
  return await tx
    .select({ id: attachments.id, realmId: attachments.realmId })
    .from(attachments)
    .where(unreferencedAttachmentCondition(before))
    .orderBy(asc(attachments.createdAt))
    .limit(limit);
}
