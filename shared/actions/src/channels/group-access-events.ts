import { type ChannelRow, type Tx, tables } from '@parley/db';
import { isAmong } from '@parley/model';
import * as model from '@parley/model';
import type { PendingEvent } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { lockConversations } from '../lock.ts';
import { clearFormerMembers } from './clear-former-members.ts';

/** A user who may be in other groups than before, or whose groups may contain each other in another way. */
export interface GroupChange {
  before: model.permissions.Member;
  after: model.permissions.Member;
}

/**
 * Returns events for users whose groups have changed, of those private channels among some whose permissions name the
 * groups: the channels that they now see, with their subscribers, then the channels that they no longer see. Users with
 * the same change share an event. `rules` are those before the change, and those after it.
 */
export async function groupAccessEvents(
  tx: Tx,
  realmId: number,
  channelIds: number[],
  users: GroupChange[],
  [rulesBefore, rules]: readonly [model.permissions.Rules, model.permissions.Rules],
): Promise<PendingEvent[]> {
  if (channelIds.length === 0 || users.length === 0) return [];
  // Nobody joins or leaves them meanwhile.
  const conversationIds = (await listPrivateChannels(tx, realmId, channelIds)).map(
    (one) => one.conversationId,
  );
  await lockConversations(tx, { id: realmId }, conversationIds);
  const channels = await listPrivateChannels(tx, realmId, channelIds);
  const heads = await model.channels.listChannelHeads(tx, realmId, conversationIds);
  const subscribers = await model.channels.listSubscribers(tx, realmId, conversationIds);

  const [gains, losses]: [PendingEvent[], PendingEvent[]] = [[], []];
  for (const channel of channels) {
    const peers = subscribers.get(channel.conversationId) ?? [];
    const { gained, lost } = accessChange(channel, new Set(peers), users, [rulesBefore, rules]);
    if (gained.length > 0) {
      const facts = heads.get(channel.conversationId) ?? { firstMessageId: null, subscriberCount: 0 };
      gains.push(...model.channels.channelAddedEvents({ users: gained }, rules, channel, facts, peers));
    }
    if (lost.length > 0) {
      await clearFormerMembers(tx, channel, { users: lost });
      losses.push(...model.channels.channelRemovedEvents({ users: lost }, rules, channel));
    }
  }
  return [...gains, ...losses];
}

/** The ids of users who see a channel from now on, and of those who no longer see it. Its subscribers always see it. */
function accessChange(
  channel: ChannelRow,
  subscribers: ReadonlySet<number>,
  users: GroupChange[],
  [rulesBefore, rules]: readonly [model.permissions.Rules, model.permissions.Rules],
) {
  const access = { channel, isSubscribed: false };
  const gained: number[] = [];
  const lost: number[] = [];
  for (const { before, after } of users) {
    if (subscribers.has(after.id)) continue;
    const [saw, sees] = [
      model.access.maySeeChannel(before, access, rulesBefore),
      model.access.maySeeChannel(after, access, rules),
    ];
    if (sees && !saw) gained.push(after.id);
    if (saw && !sees) lost.push(after.id);
  }
  return { gained, lost };
}

async function listPrivateChannels(tx: Tx, realmId: number, ids: number[]): Promise<ChannelRow[]> {
  const { channels } = tables;
  return await tx
    .select()
    .from(channels)
    .where(and(eq(channels.realmId, realmId), isAmong(channels.id, ids), channels.isPrivate))
    .orderBy(channels.id);
}
