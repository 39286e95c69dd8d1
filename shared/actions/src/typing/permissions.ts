import type { Actor } from '@parley/model';
import { ApiError } from '@parley/protocol';

/** Refuses where the actor does not want others to know. */
export function assertSharesTyping({ settings }: Actor, where: 'channel' | 'direct'): void {
  const tells =
    where === 'channel'
      ? settings.send_stream_typing_notifications
      : settings.send_private_typing_notifications;
  if (!tells) {
    throw new ApiError('BAD_REQUEST', `User has disabled typing notifications for ${where} messages`);
  }
}
