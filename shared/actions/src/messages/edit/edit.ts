import { type Tx, tables } from '@parley/db';
import { rendererVersion, topicLinks } from '@parley/markdown';
import { type Actor, toSeconds } from '@parley/model';
import * as model from '@parley/model';
import {
  type ActionResult,
  type Attachment,
  type Audience,
  type PendingEvent,
  events,
  noSharedFlags,
} from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { type ReleasedAttachments, updateReferences } from '../../attachments/index.ts';
import { lockMessage, getDatabaseTime } from '../lock.ts';
import { changeMentions } from './mentions.ts';
import type { Move } from './move-plan.ts';
import { planMove, moveMessages } from './move.ts';
import { moveNotices } from './notices.ts';
import { assertMayEditContent, assertContentIsExpected, assertEditIsValid } from './permissions.ts';
import type { MessageEdit } from './request.ts';

const { messageEdits, messages } = tables;

export interface EditInput extends MessageEdit {
  actor: Actor;
  alertWords: model.alertWords.AlertWordCache;
}

export interface EditResult extends ActionResult {
  /** Uploads of the actor that no message refers to any more. */
  detached: Attachment[];
}

/**
 * Changes the content of a message, or moves it and others of its topic to another topic or channel. All that changed is
 * one event. Before it come the events of the move that clients expect first: deletions for users who lose access, and
 * visibility policies; after it come those of uploads and of notices.
 *
 * @throws BAD_REQUEST for a message that the actor may not read or that is in an archived channel; for an edit that
 * changes nothing, is invalid, comes too late or is not permitted; for names that the actor may not mention
 * @throws EXPECTATION_MISMATCH when the message no longer has the content that the client expects
 * @throws MOVE_MESSAGES_TIME_LIMIT_EXCEEDED when parts of the topic are too old to be moved
 * @throws STREAM_WILDCARD_MENTION_NOT_ALLOWED TOPIC_WILDCARD_MENTION_NOT_ALLOWED for mentions of too many
 * @throws SERVER_NOT_READY when the message is moved again and again
 */
export async function edit(tx: Tx, { actor, alertWords, ...input }: EditInput): Promise<EditResult> {
  const request = parseEdit(input);
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  const target =
    request.channelId === undefined
      ? undefined
      : await model.access.findChannel(tx, actor, request.channelId);
  const locked = await lockMessage(tx, actor, request.messageId, {
    rules,
    also: target ? [target.channel.conversationId] : [],
  });
  // They are sent together.
  const [access, at, isWidget] = await Promise.all([
    spellTopic(tx, locked),
    getDatabaseTime(tx),
    request.content !== undefined && model.submessages.hasWidget(tx, actor.realm.id, request.messageId),
  ]);
  const changes = withoutUnchanged(access, request);

  if (changes.content !== undefined) assertMayEditContent(actor, access, rules, at);
  assertContentIsExpected(access, request.prevContentSha256);
  assertEditIsValid(access, request, changes, isWidget);
  const move = await planMove(tx, actor, access, changes, { rules, at });

  // Messages are locked before the uploads that they refer to.
  const moved = move && (await moveMessages(tx, actor, move, { rules, at }));
  const content = await changeContent(tx, actor, access, changes.content, { rules, alertWords, at });
  if (!moved && !content) return { events: [], detached: [] };
  const place = { channel: access.channel?.channel ?? null, people: access.people };
  const audience = moved?.audience ?? (await model.access.messageAudience(tx, place, [access.message.id]));
  const notices = moved
    ? await moveNotices(tx, actor, moved, { ...request, isPure: changes.content === undefined, rules })
    : [];
  return {
    events: [
      ...(moved?.eventsBefore ?? []),
      await updateEvent(tx, actor, access, { content: content?.fields ?? null, move: moved, audience, at }),
      ...(content?.files.events ?? []),
      ...notices,
    ],
    detached: content?.files.detached ?? [],
    jobs: content?.previewsDue
      ? [{ name: 'preview-links', id: request.messageId, realmId: actor.realm.id }]
      : [],
    // Plans for sending remember topics by their rows and names.
    changesRules: moved !== null,
  };
}
edit.actionName = 'messages.edit' as const;

/** The content of a message whose text was removed. */
const deletedText = '(deleted)';

/** Parses content and topic to the form that is stored. */
function parseEdit({ topic, content, ...rest }: MessageEdit): MessageEdit {
  return {
    ...rest,
    ...(topic !== undefined && { topic: model.messages.parseTopicName(topic) }),
    ...(content !== undefined && {
      content: content.trim() === '' ? deletedText : model.messages.parseMessageContent(content),
    }),
  };
}

/** The message with its topic's name as it spells it itself. */
async function spellTopic(tx: Tx, access: model.access.MessageAccess): Promise<model.access.MessageAccess> {
  const { message, topic } = access;
  return topic
    ? {
        ...access,
        topic: { ...topic, name: await model.messages.findTopicSpelling(tx, message, topic.name) },
      }
    : access;
}

/** Leaves out a topic or a channel that the message has already. */
function withoutUnchanged({ topic, channel }: model.access.MessageAccess, edit: MessageEdit): MessageEdit {
  const { topic: newTopic, channelId, ...rest } = edit;
  return {
    ...rest,
    ...(newTopic !== undefined && newTopic !== topic?.name && { topic: newTopic }),
    ...(channelId !== undefined && channelId !== channel?.channel.id && { channelId }),
  };
}

interface ContentFields {
  orig_content: string;
  orig_rendered_content: string;
  content: string;
  rendered_content: string;
  is_me_message: boolean;
}

interface Editing {
  rules: model.permissions.Rules;
  alertWords: model.alertWords.AlertWordCache;
  at: Date;
}

/** Writes new content and what follows from it; null if the message has that content already. */
async function changeContent(
  tx: Tx,
  actor: Actor,
  access: model.access.MessageAccess,
  content: string | undefined,
  { rules, alertWords, at }: Editing,
): Promise<{ fields: ContentFields; files: ReleasedAttachments; previewsDue: boolean } | null> {
  const { message } = access;
  if (content === undefined || content === message.content) return null;
  const parsed = await model.texts.parseTextIn(
    tx,
    content,
    await model.texts.getTextOptions(tx, actor, rules),
    message.sentAt,
  );
  const written = parsed.references.uploads;
  const files = await updateReferences(tx, actor, { messageId: message.id, written });
  const resolved = await model.texts.resolveParsedText(tx, { actor, seesAll: false }, rules, parsed);
  const rendered = model.texts.renderParsedText(parsed, resolved);
  const { html: renderedContent, hasLink, hasImage, hasAttachment } = rendered;
  const previewsDue = rendered.pages.length > 0;
  await tx.insert(messageEdits).values({
    realmId: message.realmId,
    messageId: message.id,
    userId: actor.id,
    editedAt: at,
    prevContent: message.content,
    prevRenderedContent: message.renderedContent,
  });
  const findAlerted = await alertWords.find(tx, actor.realm.id, rules.version);
  const mentionsChannel = await changeMentions(tx, actor, access, rendered, resolved.people, findAlerted);
  await tx
    .update(messages)
    .set({
      content,
      renderedContent,
      renderedVersion: rendererVersion,
      editedAt: at,
      previewsDueAt: previewsDue ? at : null,
      hasLink,
      hasImage,
      hasAttachment,
      mentionsChannel,
    })
    .where(and(eq(messages.realmId, message.realmId), eq(messages.id, message.id)));
  return {
    fields: {
      orig_content: message.content,
      orig_rendered_content: message.renderedContent,
      content,
      rendered_content: renderedContent,
      is_me_message: model.messages.isMeMessage(content),
    },
    files,
    previewsDue,
  };
}

interface Update {
  content: ContentFields | null;
  move: Move | null;
  audience: Audience;
  at: Date;
}

async function updateEvent(
  tx: Tx,
  actor: Actor,
  { message, channel }: model.access.MessageAccess,
  { content, move, audience, at }: Update,
): Promise<PendingEvent> {
  const isRenamed = move !== null && move.topicName !== move.fromTopic.name;
  const event = events.updateMessage({
    user_id: actor.id,
    rendering_only: false,
    message_id: message.id,
    message_ids: move?.ids ?? [message.id],
    edit_timestamp: toSeconds(at),
    ...(channel && { stream_id: channel.channel.id, stream_name: channel.channel.name }),
    ...(move && { orig_subject: move.fromTopic.name, propagate_mode: move.mode }),
    ...(move && move.to.channel.id !== move.from.channel.id && { new_stream_id: move.to.channel.id }),
    ...(isRenamed && {
      subject: move.topicName,
      topic_links: topicLinks(
        move.topicName,
        await model.linkifiers.getCompiledLinkifiers(tx, actor.realm.id),
      ),
    }),
    ...content,
    shared_flags: noSharedFlags,
  });
  return {
    event,
    ...audience,
    sharedFlagsOf: message.id,
    ...(move?.expects && { expects: move.expects }),
  };
}
