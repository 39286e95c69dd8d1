import { type MessageRow, type Tx, tables } from '@parley/db';
import { rendererVersion } from '@parley/markdown';
import { type Realm, actorOf, toSeconds } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, events, noSharedFlags } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { updateReferences } from '../attachments/index.ts';
import { hasMessagesLeft, removeMessages } from './delete.ts';
import { getDatabaseTime, lockMessageForServer } from './lock.ts';

export interface SourceResult extends ActionResult {
  isDone: boolean;
}

const nothing: SourceResult = { events: [], isDone: false };

/**
 * Gives an imported message the text that its source has now, if it has still the text that was expected. It is an edit by
 * its sender, of which nobody is notified.
 *
 * @throws SERVER_NOT_READY when the message is moved again and again
 */
export async function followSource(
  tx: Tx,
  { realm, id, expected, content }: { realm: Realm; id: number; expected: string; content: string },
): Promise<SourceResult> {
  const locked = await lockMessageForServer(tx, realm, id);
  if (!locked || locked.message.content !== expected) return nothing;
  const { message, place } = locked;
  const { html, files, at } = await writeText(tx, realm, message, content);
  const event = events.updateMessage({
    user_id: message.senderId,
    rendering_only: false,
    message_id: id,
    message_ids: [id],
    edit_timestamp: toSeconds(at),
    ...(place.channel && { stream_id: place.channel.id, stream_name: place.channel.name }),
    orig_content: message.content,
    orig_rendered_content: message.renderedContent,
    content,
    rendered_content: html,
    is_me_message: model.messages.isMeMessage(content),
    shared_flags: noSharedFlags,
  });
  const audience = await model.access.messageAudience(tx, place, [id]);
  return { events: [{ event, ...audience, sharedFlagsOf: id }, ...files.events], isDone: true };
}
followSource.actionName = 'messages.followSource' as const;

async function writeText(tx: Tx, realm: Realm, message: MessageRow, content: string) {
  const { messages, messageEdits } = tables;
  const rules = await model.permissions.getRules(tx, realm.id);
  const [sender] = await model.users.listUsers(tx, realm.id, [message.senderId]);
  if (!sender) throw new Error(`User ${message.senderId} has sent a message and does not exist.`);
  const author = { actor: actorOf(sender, realm), seesAll: sender.isSystem };
  const options = await model.texts.getTextOptions(tx, author.actor, rules);
  const parsed = await model.texts.parseTextIn(tx, content, options, message.sentAt);
  const written = parsed.references.uploads;
  const files = await updateReferences(tx, author.actor, { messageId: message.id, written });
  const resolved = await model.texts.resolveParsedText(tx, author, rules, parsed);
  const { html, hasLink, hasImage, hasAttachment } = model.texts.renderParsedText(parsed, resolved);
  const at = await getDatabaseTime(tx);
  await tx.insert(messageEdits).values({
    realmId: realm.id,
    messageId: message.id,
    userId: message.senderId,
    editedAt: at,
    prevContent: message.content,
    prevRenderedContent: message.renderedContent,
  });
  await tx
    .update(messages)
    .set({
      content,
      renderedContent: html,
      renderedVersion: rendererVersion,
      editedAt: at,
      hasLink,
      hasImage,
      hasAttachment,
    })
    .where(and(eq(messages.realmId, realm.id), eq(messages.id, message.id)));
  return { html, files, at };
}

/**
 * Deletes an imported message that its source no longer has. It can be restored like any that is deleted.
 *
 * @throws SERVER_NOT_READY when the message is moved again and again
 */
export async function removeAsSource(
  tx: Tx,
  { realm, id }: { realm: Realm; id: number },
): Promise<SourceResult> {
  const { topics } = tables;
  const locked = await lockMessageForServer(tx, realm, id);
  if (!locked) return nothing;
  const { channel, people } = locked.place;
  const { topicId } = locked.message;
  const [topic = null] =
    topicId === null
      ? []
      : await tx
          .select()
          .from(topics)
          .where(and(eq(topics.realmId, realm.id), eq(topics.id, topicId)));
  const place = { channel: channel && { channel, isSubscribed: false }, topic, people };
  const rules = await model.permissions.getRules(tx, realm.id);
  const removed = await removeMessages(tx, { id: 0, realm }, place, [id], { rules, also: [] });
  return { events: removed, changesRules: !(await hasMessagesLeft(tx, place)), isDone: true };
}
removeAsSource.actionName = 'messages.removeAsSource' as const;
