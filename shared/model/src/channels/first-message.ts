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

/**
 * Returns an event about a channel's first message, for everyone with metadata access. The log fills in the message's
 * id.
 */
export function firstMessageIdEvent({ id, name, isArchived }: Channel, audience: Audience): PendingEvent {
  const event = events.stream.update({
    stream_id: id,
    name,
    property: 'first_message_id',
    value: null,
    ...(isArchived && { of_archived: 'archived' }),
  });
  return { event, ...audience };
}

/**
 * Returns an event about a channel's first message after messages were deleted or moved out or in. The log skips it if
 * the first message is still the same.
 */
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
