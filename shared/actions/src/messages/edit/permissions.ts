import { createHash } from 'node:crypto';

import { type Actor, isModerator } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, emptyTopicDisplayName, resolvedPrefix } from '@parley/protocol';

import type { MessageEdit } from './request.ts';

/** Edits that come this much too late are accepted, because clocks of clients and the network are slow. */
const graceSeconds = 20;

/** Says that an edit is refused, and why. */
const refuse = (msg: string): never => {
  throw new ApiError('BAD_REQUEST', msg);
};

const isTooLate = (sentAt: Date, limitSeconds: number | null, at: Date) =>
  limitSeconds !== null && at.getTime() - sentAt.getTime() > (limitSeconds + graceSeconds) * 1000;

/**
 * Refuses to change a message's content: only its sender may, within the realm's time limit.
 *
 * @throws BAD_REQUEST saying why
 */
export function assertMayEditContent(
  actor: Actor,
  { message }: model.access.MessageAccess,
  rules: model.permissions.Rules,
  at: Date,
): void {
  const { allow_message_editing, message_content_edit_limit_seconds } = rules.settings;
  if (!allow_message_editing) refuse('This organization does not let people edit messages.');
  if (message.senderId !== actor.id) refuse('You do not have permission to edit this message.');
  if (isTooLate(message.sentAt, message_content_edit_limit_seconds, at)) {
    refuse('This message is too old for you to edit.');
  }
}

/**
 * Refuses an edit of content that the client has not seen, so that no edit overwrites another unnoticed.
 *
 * @throws EXPECTATION_MISMATCH when the message's content has another hash
 */
export function assertContentIsExpected(
  { message }: model.access.MessageAccess,
  sha256: string | undefined,
): void {
  if (sha256 === undefined) return;
  if (createHash('sha256').update(message.content).digest('hex') === sha256) return;
  const msg = 'Somebody has changed this message in the meantime. Reload it before you edit it.';
  throw new ApiError('EXPECTATION_MISMATCH', msg, { field_name: 'prev_content_sha256' });
}

/**
 * Refuses an edit that changes nothing, or that the message cannot have.
 *
 * @throws BAD_REQUEST saying why
 */
export function assertEditIsValid(
  { channel }: model.access.MessageAccess,
  request: MessageEdit,
  { content, topic, channelId, propagateMode }: MessageEdit,
  isWidget: boolean,
): void {
  if (content === undefined && topic === undefined && channelId === undefined)
    refuse('There is nothing to change.');
  if (!channel && channelId !== undefined) refuse('A direct message cannot be moved to a channel.');
  if (!channel && topic !== undefined) refuse('A direct message has no topic.');
  if (propagateMode !== 'change_one' && topic === undefined && channelId === undefined) {
    refuse("'propagate_mode' needs a new topic or channel.");
  }
  if (topic === resolvedPrefix.trim() || topic === resolvedPrefix + emptyTopicDisplayName) {
    refuse('General chat cannot be marked as resolved, because it has no name.');
  }
  if (content !== undefined && request.channelId !== undefined) {
    refuse('Edit the text of a message and its channel in separate requests.');
  }
  if (content !== undefined && isWidget)
    refuse('A message with a poll, to-do list or form cannot be edited.');
}

export function assertMayMoveBetweenTopics(
  actor: Actor,
  from: model.access.ChannelAccess,
  to: model.access.ChannelAccess,
  rules: model.permissions.Rules,
): void {
  const isPermitted =
    rules.may(actor, 'can_move_messages_between_topics_group') ||
    [from, to].some((access) =>
      model.access.hasChannelPermission(actor, access, 'can_move_messages_within_channel_group', rules),
    );
  if (!isPermitted) refuse('You do not have permission to edit this message.');
}

export function assertMayResolve(
  actor: Actor,
  from: model.access.ChannelAccess,
  to: model.access.ChannelAccess,
  rules: model.permissions.Rules,
): void {
  const isPermitted =
    rules.may(actor, 'can_resolve_topics_group') ||
    [from, to].some((access) =>
      model.access.hasChannelPermission(actor, access, 'can_resolve_topics_group', rules),
    );
  if (!isPermitted) refuse('You do not have permission to resolve topics in this channel.');
}

export function assertMayMoveOutOf(
  actor: Actor,
  from: model.access.ChannelAccess,
  rules: model.permissions.Rules,
): void {
  const isPermitted =
    rules.may(actor, 'can_move_messages_between_channels_group') ||
    model.access.hasChannelPermission(actor, from, 'can_move_messages_out_of_channel_group', rules);
  if (!isPermitted) refuse('You do not have permission to move this message.');
}

/** How long after it was sent the actor may move a message; null means for ever. */
export interface MoveLimits {
  topicSeconds: number | null;
  channelSeconds: number | null;
}

export const moveLimits = (actor: Actor, { settings }: model.permissions.Rules): MoveLimits =>
  isModerator(actor)
    ? { topicSeconds: null, channelSeconds: null }
    : {
        topicSeconds: settings.move_messages_within_stream_limit_seconds,
        channelSeconds: settings.move_messages_between_streams_limit_seconds,
      };

interface Dated {
  id: number;
  sentAt: Date;
}

/**
 * Refuses to move messages of which some are too old. The error says from which message on the topic may be moved.
 *
 * @throws MOVE_MESSAGES_TIME_LIMIT_EXCEEDED
 */
export function assertMoveIsInTime(
  moved: Dated[],
  topic: Dated[],
  limits: (number | null)[],
  at: Date,
): void {
  const strictest = Math.min(...limits.map((limit) => limit ?? Infinity));
  if (strictest === Infinity || !moved.some(({ sentAt }) => isTooLate(sentAt, strictest, at))) return;
  const allowed = topic.filter(({ sentAt }) => !isTooLate(sentAt, strictest, at));
  throw new ApiError(
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    `Some messages are too old for you to move: of this topic, only the last ${allowed.length} of ${topic.length} can be.`,
    {
      first_message_id_allowed_to_move: allowed[0]?.id ?? null,
      total_messages_in_topic: topic.length,
      total_messages_allowed_to_move: allowed.length,
    },
  );
}
