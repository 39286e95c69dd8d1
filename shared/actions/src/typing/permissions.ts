import type { Actor } from '@parley/model';
import { ApiError } from '@parley/protocol';

/** @throws BAD_REQUEST for an actor who does not share typing notifications */
export function assertSharesTyping({ settings }: Actor, where: 'channel' | 'direct'): void {
  const isShared =
    where === 'channel'
      ? settings.send_stream_typing_notifications
      : settings.send_private_typing_notifications;
  if (!isShared) {
    throw new ApiError('BAD_REQUEST', `You have turned off typing notifications for ${where} messages.`);
  }
}
