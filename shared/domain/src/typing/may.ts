import { ApiError } from '@parley/protocol';

import type { Actor } from '../actor.ts';

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
