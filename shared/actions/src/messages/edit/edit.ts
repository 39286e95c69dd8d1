import { type Tx, tables } from '@parley/db';
import { rendererVersion, topicLinks } from '@parley/markdown';
import { parseMessageContent, parseTopicName } from '@parley/model';
import {
  type Actor,
  getRules,
  findChannel,
  hasWidget,
  messageAudience,
  type MessageAccess,
  type Rules,
  parseText,
  getTextOptions,
  resolveParsedText,
  renderParsedText,
  isMeMessage,
  toSeconds,
  getCompiledLinkifiers,
} from '@parley/model';
import {
  type ActionResult,
  type Attachment,
  type Audience,
  type PendingEvent,
  events,
  noSharedFlags,
} from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { type ReleasedAttachments, updateReferences } from '../../attachments/index.ts';
import { lockMessage, getDatabaseTime } from '../lock.ts';
import { changeMentions } from './mentions.ts';
import type { Move } from './move-plan.ts';
import { planMove, moveMessages } from './move.ts';
import { moveNotices } from './notices.ts';
import { assertMayEditContent, assertContentIsExpected, assertEditIsValid } from './permissions.ts';
import type { MessageEdit } from './request.ts';

const { messageEdits, messages } = tables;

export interface EditResult extends ActionResult {
  /** Files of the actor that nothing refers to any more. */
  detached: Attachment[];
}

/**
 * Changes what a message says, or moves it and others of its topic to another topic or channel. One event tells of all
 * that changed; it stands where reference/events.md 5 has it.
 */
export async function edit(tx: Tx, actor: Actor, input: MessageEdit): Promise<EditResult> {
  const wanted = parseEdit(input);
  const rules = await getRules(tx, actor.realm.id);
  const target = wanted.channelId === undefined ? undefined : await findChannel(tx, actor, wanted.channelId);
  const access = await lockMessage(tx, actor, wanted.messageId, {
    rules,
    also: target ? [target.channel.conversationId] : [],
  });
  const at = await getDatabaseTime(tx);
  const changes = withoutUnchanged(access, wanted);

  if (changes.content !== undefined) assertMayEditContent(actor, access, rules, at);
  assertContentIsExpected(access, wanted.prevContentSha256);
  const isWidget = changes.content !== undefined && (await hasWidget(tx, wanted.messageId));
  assertEditIsValid(access, changes, isWidget);
  const move = await planMove(tx, actor, access, changes, { rules, at });

  // Messages are held before the uploads that they refer to.
  const moved = move && (await moveMessages(tx, actor, move, { rules, at }));
  const content = await changeContent(tx, actor, access, changes.content, { rules, at });
  if (!moved && !content) return { events: [], keepsRules: true, detached: [] };
  const place = { channel: access.channel?.channel ?? null, people: access.people };
  const audience = moved?.audience ?? (await messageAudience(tx, place, [access.message.id]));
  const notices = moved
    ? await moveNotices(tx, actor, moved, { ...wanted, isPure: changes.content === undefined, rules })
    : [];
  return {
    events: [
      ...(moved?.eventsBefore ?? []),
      await updateEvent(tx, actor, access, { content: content?.fields ?? null, move, audience, at }),
      ...(content?.files.events ?? []),
      ...notices,
    ],
    detached: content?.files.detached ?? [],
    jobs: content?.previewsDue ? [{ name: 'preview-links', id: wanted.messageId }] : [],
    // Plans for sending know topics by their rows and their names.
    keepsRules: !moved,
  };
}

/** The content of a message whose text was taken away. */
const deletedText = '(deleted)';

/** Content and topic as they are stored. */
function parseEdit({ topic, content, ...edit }: MessageEdit): MessageEdit {
  return {
    ...edit,
    ...(topic !== undefined && { topic: parseTopicName(topic) }),
    ...(content !== undefined && {
      content: content.trim() === '' ? deletedText : parseMessageContent(content),
    }),
  };
}

/** A topic or a channel that the message has already is as if it had not been sent. */
function withoutUnchanged({ topic, channel }: MessageAccess, wanted: MessageEdit): MessageEdit {
  const { topic: newTopic, channelId, ...rest } = wanted;
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

/** Null if it says already what it is to say. */
async function changeContent(
  tx: Tx,
  actor: Actor,
  access: MessageAccess,
  content: string | undefined,
  { rules, at }: { rules: Rules; at: Date },
): Promise<{ fields: ContentFields; files: ReleasedAttachments; previewsDue: boolean } | null> {
  const { message } = access;
  if (content === undefined || content === message.content) return null;
  const parsed = parseText(content, await getTextOptions(tx, actor, rules));
  const written = parsed.references.uploads;
  const files = await updateReferences(tx, actor, { messageId: message.id, written });
  const found = await resolveParsedText(tx, { actor, seesAll: false }, rules, parsed);
  const rendered = renderParsedText(parsed, found);
  const { html: renderedContent, hasLink, hasImage, hasAttachment } = rendered;
  const previewsDue = rendered.pages.length > 0;
  await tx.insert(messageEdits).values({
    messageId: message.id,
    userId: actor.id,
    editedAt: at,
    prevContent: message.content,
    prevRenderedContent: message.renderedContent,
  });
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
    })
    .where(eq(messages.id, message.id));
  await changeMentions(tx, actor, access, rendered, found.people);
  return {
    fields: {
      orig_content: message.content,
      orig_rendered_content: message.renderedContent,
      content,
      rendered_content: renderedContent,
      is_me_message: isMeMessage(content),
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
  { message, channel }: MessageAccess,
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
      topic_links: topicLinks(move.topicName, await getCompiledLinkifiers(tx, actor.realm.id)),
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
