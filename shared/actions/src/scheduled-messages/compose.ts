import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import { and, eq } from 'drizzle-orm';

import {
  type Recipient,
  parseMessageText,
  parseRecipient,
  planSend,
  prepare,
  resolveMessage,
} from '../messages/index.ts';

/** A message as it would be sent now. */
export interface Composed {
  type: 'stream' | 'private';
  recipients: number[];
  topic: string;
  content: string;
  renderedContent: string;
  /** Ids of the uploads that it links to. They are locked. */
  attachments: number[];
}

/**
 * Checks a message as if the actor sent it now, and renders it.
 *
 * @throws STREAM_DOES_NOT_EXIST for a channel that does not exist
 * @throws BAD_REQUEST where the actor may not write, or for an invalid text or recipient
 * @throws STREAM_WILDCARD_MENTION_NOT_ALLOWED TOPIC_WILDCARD_MENTION_NOT_ALLOWED for mentions that the actor may not use
 */
export async function compose(
  tx: Tx,
  actor: Actor,
  { recipient, content, client }: { recipient: Recipient; content: string; client: string },
): Promise<Composed> {
  const text = parseMessageText({ content, client, readBySender: false, echo: null });
  const plan = await planSend(tx, actor.realm.id, () => Promise.resolve(actor), parseRecipient(recipient));
  const { rendered, files } = await resolveMessage(tx, await prepare(plan, text, tx));
  const { channelId, people, subject } = plan.address;
  const others = people?.filter((id) => id !== actor.id) ?? [];
  const ofPeople = others.length > 0 ? others : [actor.id];
  return {
    type: channelId === null ? 'private' : 'stream',
    recipients: channelId === null ? ofPeople : [channelId],
    topic: subject,
    content: text.content,
    renderedContent: rendered.html,
    attachments: files.rows.map(({ id }) => id),
  };
}

/** Records which uploads a scheduled message links to, in place of those that it linked to. */
export async function setAttachments(
  tx: Tx,
  { realm }: Actor,
  id: number,
  attachments: readonly number[],
): Promise<void> {
  const { scheduledMessageAttachments: references } = tables;
  await tx
    .delete(references)
    .where(and(eq(references.realmId, realm.id), eq(references.scheduledMessageId, id)));
  if (attachments.length === 0) return;
  await tx
    .insert(references)
    .values(attachments.map((attachmentId) => ({ realmId: realm.id, scheduledMessageId: id, attachmentId })));
}
