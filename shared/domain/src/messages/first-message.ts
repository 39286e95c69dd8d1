import type { Tx } from '@parley/db';
import { type Draft, events } from '@parley/protocol';

import type { Realm } from '../actor.ts';
import type { ChannelRow } from '../channels/present.ts';
import { type Watchers, watchersOf } from '../channels/watchers.ts';
import type { Rules } from '../realms/rules.ts';

interface Channel {
  id: number;
  name: string;
  isArchived: boolean;
}

/** A channel's first message is a fact that all who see the channel are told; which it is, the log fills in. */
export function firstMessageDraft({ id, name, isArchived }: Channel, watchers: Watchers): Draft {
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
export async function draftFirstMessage(
  tx: Tx,
  realm: Realm,
  channel: ChannelRow,
  rules: Rules,
): Promise<Draft> {
  return {
    ...firstMessageDraft(channel, await watchersOf(tx, realm, channel, rules)),
    refreshesFirst: { conversationId: channel.conversationId, channelId: channel.id },
  };
}
