import type { Tx, ChannelRow } from '@parley/db';
import { type Audience, type PendingEvent, events } from '@parley/protocol';

import { channelAudience } from '../access/channel-audiences.ts';
import type { Realm } from '../actor.ts';
import type { Rules } from '../permissions/rules.ts';

interface Channel {
  id: number;
  name: string;
  isArchived: boolean;
}

/** A channel's first message is a fact that all who see the channel are told; which it is, the log fills in. */
export function firstMessageIdEvent({ id, name, isArchived }: Channel, watchers: Audience): PendingEvent {
  const event = events.stream.update({
    stream_id: id,
    name,
    property: 'first_message_id',
    value: null,
    ...(isArchived && { of_archived: 'archived' }),
  });
  return { event, ...watchers };
}

/** Tells who sees the channel what its first message is now, if messages have left it or come in before the first. */
export async function refreshedFirstMessageIdEvent(
  tx: Tx,
  realm: Realm,
  channel: ChannelRow,
  rules: Rules,
): Promise<PendingEvent> {
  return {
    ...firstMessageIdEvent(channel, await channelAudience(tx, realm, channel, rules)),
    refreshesFirstMessage: { conversationId: channel.conversationId, channelId: channel.id },
  };
}
