import { type ChannelRow, type Tx, tables, type UserRow } from '@parley/db';
import { type Realm, isGuest, isAmong } from '@parley/model';
import * as model from '@parley/model';
import { type MembershipChange, type PendingEvent, events } from '@parley/protocol';
import { eq, and, asc } from 'drizzle-orm';

import { lockConversations } from '../lock.ts';

/** The channels that accounts are subscribed to, by user id. */
export type Subscriptions = Map<number, ChannelRow[]>;

/**
 * Locks the channels of accounts that are being activated or deactivated, so that nobody joins or leaves them
 * meanwhile, and reads the subscriptions. Subscriptions of a deactivated account stay; only the members of
 * conversations change.
 */
export async function lockSubscriptions(tx: Tx, realm: Realm, userIds: number[]): Promise<Subscriptions> {
  const current = await listSubscriptions(tx, realm.id, userIds);
  await lockConversations(tx, realm, [realm.membersConversationId, ...conversationsOf(current)]);
  return await listSubscriptions(tx, realm.id, userIds);
}

async function listSubscriptions(tx: Tx, realmId: number, userIds: number[]): Promise<Subscriptions> {
  const { channels, conversationMembers } = tables;
  const rows = await tx
    .select({ userId: conversationMembers.userId, channel: channels })
    .from(conversationMembers)
    .innerJoin(
      channels,
      and(eq(channels.realmId, realmId), eq(channels.conversationId, conversationMembers.conversationId)),
    )
    .where(
      and(
        eq(conversationMembers.realmId, realmId),
        isAmong(conversationMembers.userId, userIds),
        conversationMembers.isSubscribed,
      ),
    )
    .orderBy(asc(channels.id));
  const subscriptions: Subscriptions = new Map(userIds.map((id) => [id, []]));
  for (const { userId, channel } of rows) subscriptions.get(userId)?.push(channel);
  return subscriptions;
}

const conversationsOf = (subscriptions: Subscriptions) => [
  ...new Set(
    [...subscriptions.values()].flatMap((channels) => channels.map(({ conversationId }) => conversationId)),
  ),
];

/** Changes of members that follow from accounts being activated or deactivated, one per conversation. */
export function membershipChanges(
  realm: Realm,
  users: UserRow[],
  subscriptions: Subscriptions,
  what: 'joined' | 'left',
): MembershipChange[] {
  const perConversation = new Map<number, number[]>();
  const add = (conversationId: number, userId: number) =>
    perConversation.set(conversationId, [...(perConversation.get(conversationId) ?? []), userId]);
  for (const user of users) {
    if (!isGuest(user)) add(realm.membersConversationId, user.id);
    for (const { conversationId } of subscriptions.get(user.id) ?? []) add(conversationId, user.id);
  }
  return [...perConversation].map(([conversationId, ids]) => ({
    conversationId,
    joined: [],
    left: [],
    [what]: ids,
    keepsSubscriptions: true,
  }));
}

/** Returns events for the audiences of the channels of a user who is activated or deactivated. */
export async function peerEvents(
  tx: Tx,
  realm: Realm,
  user: UserRow,
  channels: ChannelRow[],
  rules: model.permissions.Rules,
  op: 'peer_add' | 'peer_remove',
): Promise<PendingEvent[]> {
  const pending: PendingEvent[] = [];
  for (const channel of channels) {
    const audience = await model.access.channelAudience(tx, realm, channel, rules);
    const peer = {
      stream_ids: [channel.id],
      user_ids: [user.id],
      ...model.channels.archivedChannelFields(channel),
    };
    const event = events.subscription[op](peer);
    pending.push({ event, ...audience, except: [user.id] });
  }
  return pending;
}
