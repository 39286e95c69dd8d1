import { tables, type Tx } from '@parley/db';
import { type SQL, and, eq, lt, or, isNull, sql, asc } from 'drizzle-orm';

import { type SweptRealms, isAmong, isSwept } from '../ids.ts';

const { attachments } = tables;

/** A condition on attachments: no message links to the upload, and none that is yet to be sent does. */
const ofNoMessage = and(
  sql`not exists (
    select from message_attachments r
    where r.realm_id = ${attachments.realmId} and r.attachment_id = ${attachments.id})`,
  sql`not exists (
    select from scheduled_message_attachments s join scheduled_messages m
      on m.realm_id = s.realm_id and m.id = s.scheduled_message_id
    where s.realm_id = ${attachments.realmId} and s.attachment_id = ${attachments.id} and m.sent_at is null)`,
);

/**
 * Returns a condition on attachments: no message links to the upload, none has since `before`, and none that is yet to
 * be sent does.
 */
export const unreferencedAttachmentCondition = (before: Date): SQL | undefined =>
  and(
    lt(attachments.createdAt, before),
    or(isNull(attachments.releasedAt), lt(attachments.releasedAt, before)),
    ofNoMessage,
  );

/** A condition on attachments: a draft, a reminder or a snippet of its owner names the upload. */
const namedByOwner = sql`exists (
  select from (
    select content from drafts where realm_id = ${attachments.realmId} and user_id = ${attachments.ownerId}
    union all select content from reminders where realm_id = ${attachments.realmId} and user_id = ${attachments.ownerId}
    union all select content from saved_snippets where realm_id = ${attachments.realmId} and user_id = ${attachments.ownerId}
  ) texts
  where strpos(texts.content, regexp_replace(${attachments.pathId}, '[^/]+$', '')) > 0)`;

/**
 * Returns those of the uploads to which nothing refers: no message, sent or scheduled, and nothing else that its owner
 * has written. Reads all that the owner has written and not sent, so it is asked about few uploads at a time.
 */
export async function filterUnreferenced(tx: Tx, realm: { id: number }, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .select({ id: attachments.id })
    .from(attachments)
    .where(
      and(
        eq(attachments.realmId, realm.id),
        isAmong(attachments.id, ids),
        ofNoMessage,
        sql`not ${namedByOwner}`,
      ),
    );
  return new Set(rows.map(({ id }) => id));
}

/** Returns uploads of realms that may be deleted, oldest first. */
export async function listUnreferencedAttachments(
  tx: Tx,
  { before, realmIds }: { before: Date; realmIds: SweptRealms },
  limit: number,
) {
  return await tx
    .select({ id: attachments.id, realmId: attachments.realmId })
    .from(attachments)
    .where(and(unreferencedAttachmentCondition(before), isSwept(attachments.realmId, realmIds)))
    .orderBy(asc(attachments.createdAt))
    .limit(limit);
}
