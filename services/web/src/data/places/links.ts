import { type Message, peopleOf, placeOf } from '@parley/client';

import { toPeople, toTopic } from '../../base/router/narrow.ts';
import { peek } from '../live/state.ts';

/**
 * The fragment of the conversation that a message is in, beginning at the one that `near` names. It leads to the
 * conversation of the message also when that is elsewhere by then.
 */
export function conversationOf(message: Message, near: number | null = null): string {
  const { channels, own } = peek();
  const { stream_id: channel, subject } = message;
  if (channel !== undefined)
    return toTopic(channel, channels.get(channel)?.name ?? '', subject, { near, with: message.id });
  const others = peopleOf(placeOf(message, own.user_id)) ?? [];
  return toPeople(others.length > 0 ? others : [own.user_id], near);
}
