import type { Tx } from '@parley/db';
import {
  type Actor,
  type Rules,
  listVisibleChannels,
  listChannelHeads,
  listSubscribers,
  channelAddedEvents,
  channelRemovedEvents,
  type ChannelAccess,
} from '@parley/model';
import type { PendingEvent } from '@parley/protocol';

import { lockConversations } from '../lock.ts';
import { clearFormerMembers } from './clear-former-members.ts';

/**
 * Events for a user whose role or groups have changed: the channels that they now see, with their subscribers, then the
 * channels that they no longer see. Actions that change roles and groups call it after the change.
 */
export async function channelAccessEvents(
  tx: Tx,
  before: Actor,
  after: Actor,
  rules: Rules,
): Promise<PendingEvent[]> {
  const visibleBefore = await listVisibleChannels(tx, before);
  const visibleAfter = await listVisibleChannels(tx, after);
  const [gained, lost] = [missingIn(visibleAfter, visibleBefore), missingIn(visibleBefore, visibleAfter)];
  await lockConversations(
    tx,
    [...gained, ...lost].map(({ conversationId }) => conversationId),
  );
  const conversationIds = gained.map(({ conversationId }) => conversationId);
  const heads = await listChannelHeads(tx, conversationIds);
  const subscribers = await listSubscribers(tx, conversationIds);

  const audience = { users: [after.id] };
  const pending = gained.flatMap((channel) => {
    const facts = heads.get(channel.conversationId) ?? { firstMessageId: null, subscriberCount: 0 };
    const peers = subscribers.get(channel.conversationId) ?? [];
    return channelAddedEvents(audience, rules, channel, facts, peers);
  });
  for (const channel of lost) {
    await clearFormerMembers(tx, channel, audience);
    pending.push(...channelRemovedEvents(audience, rules, channel));
  }
  return pending;
}

function missingIn(list: ChannelAccess[], other: ChannelAccess[]) {
  const ids = new Set(other.map(({ channel }) => channel.id));
  return list.map(({ channel }) => channel).filter(({ id }) => !ids.has(id));
}
