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

import { clearFormerMembers } from './clear-former-members.ts';

/**
 * To someone whose place in the organization has changed: the channels that appear with who is in them, then those
 * that they see no more. Part of the actions that change roles and groups, after they have.
 */
export async function channelAccessEvents(
  tx: Tx,
  before: Actor,
  after: Actor,
  rules: Rules,
): Promise<PendingEvent[]> {
  const could = await listVisibleChannels(tx, before);
  const can = await listVisibleChannels(tx, after);
  const [gained, lost] = [missingIn(can, could), missingIn(could, can)];
  const conversationIds = gained.map(({ conversationId }) => conversationId);
  const heads = await listChannelHeads(tx, conversationIds);
  const subscribers = await listSubscribers(tx, conversationIds);

  const them = { users: [after.id] };
  const pending = gained.flatMap((channel) => {
    const facts = heads.get(channel.conversationId) ?? { firstMessageId: null, subscriberCount: 0 };
    const peers = subscribers.get(channel.conversationId) ?? [];
    return channelAddedEvents(them, rules, channel, facts, peers);
  });
  for (const channel of lost) {
    await clearFormerMembers(tx, channel, them);
    pending.push(...channelRemovedEvents(them, rules, channel));
  }
  return pending;
}

function missingIn(list: ChannelAccess[], other: ChannelAccess[]) {
  const ids = new Set(other.map(({ channel }) => channel.id));
  return list.map(({ channel }) => channel).filter(({ id }) => !ids.has(id));
}
