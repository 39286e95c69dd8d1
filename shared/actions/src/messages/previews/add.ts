import { tables, type Tx, type MessageRow } from '@parley/db';
import { rendererVersion } from '@parley/markdown';
import { type Realm, toSeconds, actorOf } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, events, noSharedFlags, ApiError } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { lockMessageForServer, getDatabaseTime } from '../lock.ts';

const { messages } = tables;

export interface PreviewsResult extends ActionResult {
  /** The message no longer has the content whose links were fetched; its previews are still due. */
  isOutdated: boolean;
}

/**
 * Adds previews of the pages that a message links to, if it still has this content. The event is a new rendering, not an
 * edit; there is none where no preview is to be shown.
 *
 * @throws SERVER_NOT_READY when the message is moved again and again
 */
export async function addPreviews(
  tx: Tx,
  { realm, id, content }: { realm: Realm; id: number; content: string },
): Promise<PreviewsResult> {
  const locked = await lockMessageForServer(tx, realm, id);
  const done = { events: [], isOutdated: false };
  if (!locked || locked.message.previewsDueAt === null) return done;
  const { message, place } = locked;
  if (message.content !== content) return { ...done, isOutdated: true };

  const html = await renderWithPages(tx, realm, message);
  const isNew = html !== null && html !== message.renderedContent;
  await tx
    .update(messages)
    .set({ previewsDueAt: null, ...(isNew && { renderedContent: html, renderedVersion: rendererVersion }) })
    .where(and(eq(messages.realmId, realm.id), eq(messages.id, id)));
  if (!isNew) return done;
  const event = events.updateMessage({
    user_id: null,
    rendering_only: true,
    message_id: id,
    message_ids: [id],
    edit_timestamp: toSeconds(await getDatabaseTime(tx)),
    content,
    rendered_content: html,
    shared_flags: noSharedFlags,
  });
  return {
    ...done,
    events: [{ event, ...(await model.access.messageAudience(tx, place, [id])), sharedFlagsOf: id }],
  };
}
addPreviews.actionName = 'messages.addPreviews' as const;

/** Renders a message with previews; null where there is no preview to show, or the text can no longer be rendered. */
async function renderWithPages(tx: Tx, realm: Realm, message: MessageRow): Promise<string | null> {
  const rules = await model.permissions.getRules(tx, realm.id);
  const [sender] = await model.users.listUsers(tx, realm.id, [message.senderId]);
  if (!sender) throw new Error(`User ${message.senderId} has sent a message and does not exist.`);
  const author = { actor: actorOf(sender, realm), seesAll: sender.isSystem };
  try {
    const options = await model.texts.getTextOptions(tx, author.actor, rules);
    const parsed = await model.texts.parseTextIn(tx, message.content, options, message.sentAt);
    const resolved = await model.texts.resolveParsedText(tx, author, rules, parsed);
    return resolved.resolved.pages.size === 0 ? null : model.texts.renderParsedText(parsed, resolved).html;
  } catch (error) {
    // A message that was rendered before keeps that rendering.
    if (error instanceof ApiError) return null;
    throw error;
  }
}
