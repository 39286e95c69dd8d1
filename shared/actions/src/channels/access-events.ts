import type { ChannelRow, Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import type { PendingEvent } from '@parley/protocol';

import { lockConversations } from '../lock.ts';
import { clearFormerMembers } from './clear-former-members.ts';

/**
 * Returns events for a user whose role or groups have changed: the channels that they now see, with their subscribers,
 * then the channels that they no longer see. Actions that change roles and groups call it after the change.
 */
export async function channelAccessEvents(
  tx: Tx,
  before: Actor,
  after: Actor,
  rules: model.permissions.Rules,
): Promise<PendingEvent[]> {
  const { gained, lost } = await lockAccessChange(tx, before, after);
  const conversationIds = gained.map(({ conversationId }) => conversationId);
  const heads = await model.channels.listChannelHeads(tx, after.realm.id, conversationIds);
  const subscribers = await model.channels.listSubscribers(tx, after.realm.id, conversationIds);

  const audience = { users: [after.id] };
  const pending = gained.flatMap((channel) => {
    const facts = heads.get(channel.conversationId) ?? { firstMessageId: null, subscriberCount: 0 };
    const peers = subscribers.get(channel.conversationId) ?? [];
    return model.channels.channelAddedEvents(audience, rules, channel, facts, peers);
  });
  for (const channel of lost) {
    await clearFormerMembers(tx, channel, audience);
    pending.push(...model.channels.channelRemovedEvents(audience, rules, channel));
  }
  return pending;
}

interface AccessChange {
  gained: ChannelRow[];
  lost: ChannelRow[];
}

/** The channels that the user gains and loses. They are locked, so that nobody joins or leaves them meanwhile. */
async function lockAccessChange(tx: Tx, before: Actor, after: Actor): Promise<AccessChange> {
  const locked = new Set<number>();
  for (;;) {
    const visibleBefore = await model.access.listVisibleChannels(tx, before);
    const visibleAfter = await model.access.listVisibleChannels(tx, after);
    const [gained, lost] = [missingIn(visibleAfter, visibleBefore), missingIn(visibleBefore, visibleAfter)];
    const unlocked = [...gained, ...lost]
      .map(({ conversationId }) => conversationId)
      .filter((id) => !locked.has(id));
    if (unlocked.length === 0) return { gained, lost };
    // Somebody may have joined or left before these were locked, so they are compared again.
    await lockConversations(tx, before.realm, unlocked);
    for (const id of unlocked) locked.add(id);
  }
}

function missingIn(list: model.access.ChannelAccess[], other: model.access.ChannelAccess[]) {
  const ids = new Set(other.map(({ channel }) => channel.id));
  return list.map(({ channel }) => channel).filter(({ id }) => !ids.has(id));
}
