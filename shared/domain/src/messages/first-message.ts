import type { Tx } from '@parley/db';
import { type Draft, events } from '@parley/protocol';

import type { Realm } from '../actor.ts';
import type { ChannelRow } from '../channels/present.ts';
import { watchersOf } from '../channels/watchers.ts';
import type { Rules } from '../realms/rules.ts';

/** Tells who sees the channel what its first message is now, if messages have left it or come in before the first. */
export async function draftFirstMessage(
  tx: Tx,
  realm: Realm,
  channel: ChannelRow,
  rules: Rules,
): Promise<Draft> {
  const event = events.stream.update({
    stream_id: channel.id,
    name: channel.name,
    property: 'first_message_id',
    value: null,
  });
  return {
    event,
    ...(await watchersOf(tx, realm, channel, rules)),
    refreshesFirst: { conversationId: channel.conversationId, channelId: channel.id },
  };
}
