import { type Actor, isGuest } from '@parley/model';
import type { Channel } from '@parley/protocol';

import { ownList } from '../http/json-text.ts';

const lists = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'] as const;

/**
 * Writes the lists of channels in the state of a registration, which are most of it. First come those that every member
 * may read, compressed together. Each other channel is compressed by itself: only who may read its description may
 * change it. Otherwise somebody who sees lengths on the network could change the description of one channel, and learn
 * from the length that of another.
 */
export async function withChannelLists(state: Record<string, unknown>, actor: Actor) {
  const compressionOf = (channel: Channel) =>
    channel.is_web_public || (!channel.invite_only && !isGuest(actor)) ? 'together' : 'apart';
  const written: Record<string, unknown> = {};
  for (const name of lists) {
    // Safe: sections of the state give lists of channels these names.
    const channels = state[name] as readonly Channel[] | undefined;
    if (!channels) continue;
    const ordered = (['together', 'apart'] as const).flatMap((kind) =>
      channels.filter((channel) => compressionOf(channel) === kind),
    );
    written[name] = await ownList(ordered, undefined, compressionOf);
  }
  return { ...state, ...written };
}
