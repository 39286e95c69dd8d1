import { tables, type Tx, type AttachmentRow } from '@parley/db';
import { type Actor, isAmong } from '@parley/model';
import * as model from '@parley/model';
import { type PendingEvent, type Attachment, limits } from '@parley/protocol';
import { inArray, eq, and, or, asc, sql } from 'drizzle-orm';

const { attachments, messageAttachments } = tables;

export interface ReleasedAttachments {
  /** Events for the owners, which are appended after the event of the edit or the deletion. */
  events: PendingEvent[];
  /** Uploads of the actor to which nothing refers any more: no message, and nothing that the actor is yet to send. */
  detached: Attachment[];
}

/**
 * Deletes the references to uploads of messages that are about to be deleted. The caller has locked the messages:
 * uploads are always locked after messages and before the rows that tie the two together.
 */
export async function releaseReferences(
  tx: Tx,
  actor: Pick<Actor, 'id' | 'realm'>,
  messageIds: number[],
): Promise<ReleasedAttachments> {
  if (messageIds.length === 0) return { events: [], detached: [] };
  const locked = await lockAttachments(tx, actor, messageIds, []);
  if (locked.length === 0) return { events: [], detached: [] };
  const ofMessages = and(
    eq(messageAttachments.realmId, actor.realm.id),
    isAmong(messageAttachments.messageId, messageIds),
  );
  await tx.delete(messageAttachments).where(ofMessages);
  return await afterRelease(tx, actor, locked, locked);
}

/** Updates the references to uploads of one message to its new content. The caller has locked the message. */
export async function updateReferences(
  tx: Tx,
  actor: Actor,
  { messageId, written }: { messageId: number; written: readonly string[] },
): Promise<ReleasedAttachments> {
  const paths = written.slice(0, limits.attachmentsPerMessage).map(model.attachments.toUploadPathId);
  const realmId = actor.realm.id;
  const locked = await lockAttachments(tx, actor, [messageId], paths);
  if (locked.length === 0) return { events: [], detached: [] };
  const references = await tx
    .select({ id: messageAttachments.attachmentId })
    .from(messageAttachments)
    .where(and(eq(messageAttachments.realmId, realmId), eq(messageAttachments.messageId, messageId)));
  const before = new Set(references.map(({ id }) => id));
  const removed = locked.filter(({ id, pathId }) => before.has(id) && !paths.includes(pathId));
  const added = [];
  for (const row of locked) {
    // An upload that the message refers to already stays, whoever edits it.
    if (!before.has(row.id) && (await model.access.mayReadAttachment(tx, actor, row))) added.push(row);
  }
  if (removed.length > 0) {
    const ids = removed.map(({ id }) => id);
    const isRemoved = and(
      eq(messageAttachments.realmId, realmId),
      eq(messageAttachments.messageId, messageId),
      isAmong(messageAttachments.attachmentId, ids),
    );
    await tx.delete(messageAttachments).where(isRemoved);
  }
  if (added.length > 0) {
    await tx
      .insert(messageAttachments)
      .values(added.map(({ id }) => ({ realmId, messageId, attachmentId: id })));
  }
  return await afterRelease(tx, actor, [...added, ...removed], removed);
}

/** Locks the uploads that messages refer to, and those at the given paths, in the order of their ids. */
async function lockAttachments(
  tx: Tx,
  actor: Pick<Actor, 'id' | 'realm'>,
  messageIds: number[],
  paths: string[],
): Promise<AttachmentRow[]> {
  const referred = tx
    .select({ id: messageAttachments.attachmentId })
    .from(messageAttachments)
    .where(
      and(eq(messageAttachments.realmId, actor.realm.id), isAmong(messageAttachments.messageId, messageIds)),
    );
  const isAffected = or(
    inArray(attachments.id, referred),
    paths.length > 0 ? inArray(attachments.pathId, paths) : undefined,
  );
  return await tx
    .select()
    .from(attachments)
    .where(and(eq(attachments.realmId, actor.realm.id), isAffected))
    .orderBy(asc(attachments.id))
    .for('no key update');
}

async function afterRelease(
  tx: Tx,
  actor: Pick<Actor, 'id' | 'realm'>,
  changed: AttachmentRow[],
  removed: AttachmentRow[],
): Promise<ReleasedAttachments> {
  const ids = removed.map(({ id }) => id);
  if (ids.length > 0) {
    await tx
      .update(attachments)
      .set({ releasedAt: sql`now()` })
      .where(and(eq(attachments.realmId, actor.realm.id), isAmong(attachments.id, ids)));
  }
  const own = removed.filter(({ ownerId }) => ownerId === actor.id);
  const detachedIds = await model.attachments.filterUnreferenced(
    tx,
    actor.realm,
    own.map(({ id }) => id),
  );
  return {
    events: changed.map((row) => model.attachments.attachmentEvent('update', row)),
    detached: own
      .filter(({ id }) => detachedIds.has(id))
      .map((row) => model.attachments.presentAttachment(row, [])),
  };
}
