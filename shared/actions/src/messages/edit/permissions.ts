import { createHash } from 'node:crypto';

import { type Actor, isModerator } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, emptyTopicDisplayName, type PropagateMode, resolvedPrefix } from '@parley/protocol';

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
  if (!allow_message_editing) refuse('Your organization has turned off message editing');
  if (message.senderId !== actor.id) refuse("You don't have permission to edit this message");
  if (isTooLate(message.sentAt, message_content_edit_limit_seconds, at)) {
    refuse('The time limit for editing this message has passed');
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
  const msg = "'prev_content_sha256' value does not match the expected value.";
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
  if (content === undefined && topic === undefined && channelId === undefined) refuse('Nothing to change');
  if (!channel && channelId !== undefined) refuse('Direct messages cannot be moved to channels.');
  if (!channel && topic !== undefined) refuse('Direct messages cannot have topics.');
  if (propagateMode !== 'change_one' && topic === undefined && channelId === undefined) {
    refuse('Invalid propagate_mode without topic edit');
  }
  if (topic === resolvedPrefix.trim() || topic === resolvedPrefix + emptyTopicDisplayName) {
    refuse('General chat cannot be marked as resolved');
  }
  if (content !== undefined && request.channelId !== undefined) {
    refuse('Cannot change message content while changing channel');
  }
  if (content !== undefined && isWidget) refuse('Widgets cannot be edited.');
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
  if (!isPermitted) refuse("You don't have permission to edit this message");
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
  if (!isPermitted) refuse("You don't have permission to resolve topics in this channel.");
}

export function assertMayMoveOutOf(
  actor: Actor,
  from: model.access.ChannelAccess,
  rules: model.permissions.Rules,
): void {
  const isPermitted =
    rules.may(actor, 'can_move_messages_between_channels_group') ||
    model.access.hasChannelPermission(actor, from, 'can_move_messages_out_of_channel_group', rules);
  if (!isPermitted) refuse("You don't have permission to move this message");
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

export function assertMoveIsInTime(
  sentAt: Date,
  limitSeconds: number | null,
  at: Date,
  what: 'topic' | 'channel',
): void {
  if (!isTooLate(sentAt, limitSeconds, at)) return;
  // The two texts differ in their full stop.
  refuse(
    what === 'topic'
      ? "The time limit for editing this message's topic has passed."
      : "The time limit for editing this message's channel has passed",
  );
}

interface Dated {
  id: number;
  sentAt: Date;
}

/**
 * Refuses to move a whole topic of which parts are too old. The error says from which message on it may be moved.
 *
 * @throws MOVE_MESSAGES_TIME_LIMIT_EXCEEDED
 */
export function assertMayMoveWholeTopic(
  topic: Dated[],
  mode: PropagateMode,
  limits: (number | null)[],
  at: Date,
): void {
  const strictest = Math.min(...limits.map((limit) => limit ?? Infinity));
  if (mode !== 'change_all' || strictest === Infinity) return;
  const allowed = topic.filter(({ sentAt }) => !isTooLate(sentAt, strictest, at));
  if (allowed.length === topic.length) return;
  throw new ApiError(
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    `You only have permission to move the ${allowed.length}/${topic.length} most recent messages in this topic.`,
    {
      first_message_id_allowed_to_move: allowed[0]?.id ?? null,
      total_messages_in_topic: topic.length,
      total_messages_allowed_to_move: allowed.length,
    },
  );
}
