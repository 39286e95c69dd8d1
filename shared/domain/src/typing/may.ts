import { ApiError } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import type { MessageAccess } from '../messages/access.ts';
import type { Rules } from '../realms/rules.ts';

const editGraceSeconds = 20;

/** Refuses where the actor does not want others to know. */
export function checkTells({ settings }: Actor, where: 'channel' | 'direct'): void {
  const tells =
    where === 'channel'
      ? settings.send_stream_typing_notifications
      : settings.send_private_typing_notifications;
  if (!tells) {
    throw new ApiError('BAD_REQUEST', `User has disabled typing notifications for ${where} messages`);
  }
}

/** Refuses whoever could not change the message's content now. */
export function checkMayEdit(
  actor: Actor,
  { message }: MessageAccess,
  { settings }: Rules,
  nowMs: number,
): void {
  const { allow_message_editing, message_content_edit_limit_seconds: seconds } = settings;
  if (!allow_message_editing) {
    throw new ApiError('BAD_REQUEST', 'Your organization has turned off message editing');
  }
  if (message.senderId !== actor.id) {
    throw new ApiError('BAD_REQUEST', "You don't have permission to edit this message");
  }
  if (seconds !== null && nowMs - message.sentAt.getTime() > (seconds + editGraceSeconds) * 1000) {
    throw new ApiError('BAD_REQUEST', 'The time limit for editing this message has passed');
  }
}
