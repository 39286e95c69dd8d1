import { type Message, peopleOf, placeOf } from '@parley/client';

import { peek } from '../live/state.ts';
import { toPeople, toTopic } from '../router/narrow.ts';
import { tell, tellError } from '../shell/toasts.tsx';

/** The fragment of the conversation that a message is in, beginning at it where `near` says so. */
export function conversationOf(message: Message, near: number | null = null): string {
  const { channels, own } = peek();
  const { stream_id: channel, subject } = message;
  if (channel !== undefined) return toTopic(channel, channels.get(channel)?.name ?? '', subject, near);
  const others = peopleOf(placeOf(message, own.user_id)) ?? [];
  return toPeople(others.length > 0 ? others : [own.user_id], near);
}

/** The address of a message, for whoever may read it. */
export const addressOf = (message: Message): string =>
  `${location.origin}/${conversationOf(message, message.id)}`;

/** Puts the address of a message where it can be pasted from. */
export function copyLink(message: Message): void {
  navigator.clipboard
    .writeText(addressOf(message))
    .then(() => tell('The link is copied.'))
    .catch(tellError);
}
