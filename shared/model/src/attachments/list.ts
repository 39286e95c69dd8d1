import { tables, type Tx, type AttachmentRow } from '@parley/db';
import { type Attachment, limits } from '@parley/protocol';
import { and, eq, desc, sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { bigintArray } from '../ids.ts';
import { presentAttachment } from './present.ts';
import { getUploadUsage } from './usage.ts';

const { attachments } = tables;

/** Returns the actor's uploads, newest first, and the bytes that all uploads of the realm take. */
export async function listOwnAttachments(tx: Tx, actor: Actor) {
  const rows = await tx
    .select()
    .from(attachments)
    .where(and(eq(attachments.ownerId, actor.id), eq(attachments.realmId, actor.realm.id)))
    .orderBy(desc(attachments.id));
  return {
    attachments: await presentAll(tx, actor.realm.id, rows),
    uploadSpaceUsed: await getUploadUsage(tx, actor.realm.id),
  };
}

/** Attachments as API objects, each with the newest messages that link to it. */
async function presentAll(tx: Tx, realmId: number, rows: AttachmentRow[]): Promise<Attachment[]> {
  if (rows.length === 0) return [];
  const references = await tx.execute<{ attachment_id: number; id: number; sent: number }>(sql`
    select a.id as attachment_id, m.id, floor(extract(epoch from m.sent_at))::bigint as sent
    from unnest(${bigintArray(rows.map(({ id }) => id))}) a(id)
    cross join lateral (
      select m.id, m.sent_at
      from message_attachments r join messages m on m.realm_id = r.realm_id and m.id = r.message_id
      where r.realm_id = ${realmId} and r.attachment_id = a.id order by m.id desc limit ${limits.messagesPerAttachment}
    ) m
    order by m.id`);
  const messagesOf = new Map<number, Attachment['messages']>(rows.map(({ id }) => [id, []]));
  for (const { attachment_id, id, sent } of references) {
    messagesOf.get(attachment_id)?.push({ id, date_sent: Number(sent) * 1000 });
  }
  return rows.map((row) => presentAttachment(row, messagesOf.get(row.id) ?? []));
}
