import { type ChannelRow, type Tx, tables, type UserRow } from '@parley/db';
import { type Realm, type Rules, channelAudience, archivedChannelFields } from '@parley/model';
import { type MembershipChange, type PendingEvent, events } from '@parley/protocol';
import { eq, and, inArray, asc } from 'drizzle-orm';

import { lockConversations } from '../lock.ts';

/** The channels that accounts are subscribed to, by user id. */
export type Subscriptions = Map<number, ChannelRow[]>;

/**
 * The channels of accounts that come or go, which nobody enters or leaves meanwhile. Subscriptions outlive an
 * account's absence: only who is there changes.
 */
export async function lockSubscriptions(tx: Tx, realm: Realm, userIds: number[]): Promise<Subscriptions> {
  const found = await listSubscriptions(tx, userIds);
  await lockConversations(tx, [realm.membersConversationId, ...conversationsOf(found)]);
  return await listSubscriptions(tx, userIds);
}

async function listSubscriptions(tx: Tx, userIds: number[]): Promise<Subscriptions> {
  const { channels, conversationMembers } = tables;
  const rows = await tx
    .select({ userId: conversationMembers.userId, channel: channels })
    .from(conversationMembers)
    .innerJoin(channels, eq(channels.conversationId, conversationMembers.conversationId))
    .where(and(inArray(conversationMembers.userId, userIds), conversationMembers.isSubscribed))
    .orderBy(asc(channels.id));
  const found: Subscriptions = new Map(userIds.map((id) => [id, []]));
  for (const { userId, channel } of rows) found.get(userId)?.push(channel);
  return found;
}

const conversationsOf = (found: Subscriptions) => [
  ...new Set([...found.values()].flatMap((channels) => channels.map(({ conversationId }) => conversationId))),
];

/** Who is in which conversation after accounts have come or gone: each conversation changes once. */
export function membershipChanges(
  realm: Realm,
  users: UserRow[],
  found: Subscriptions,
  what: 'joined' | 'left',
): MembershipChange[] {
  const perConversation = new Map<number, number[]>();
  const add = (conversationId: number, userId: number) =>
    perConversation.set(conversationId, [...(perConversation.get(conversationId) ?? []), userId]);
  for (const user of users) {
    if (user.role < 600) add(realm.membersConversationId, user.id);
    for (const { conversationId } of found.get(user.id) ?? []) add(conversationId, user.id);
  }
  return [...perConversation].map(([conversationId, ids]) => ({
    conversationId,
    joined: [],
    left: [],
    [what]: ids,
    keepsSubscriptions: true,
  }));
}

/** What those who watch the channels of someone who comes or goes are told. */
export async function peerEvents(
  tx: Tx,
  realm: Realm,
  user: UserRow,
  channels: ChannelRow[],
  rules: Rules,
  op: 'peer_add' | 'peer_remove',
): Promise<PendingEvent[]> {
  const pending: PendingEvent[] = [];
  for (const channel of channels) {
    const audience = await channelAudience(tx, realm, channel, rules);
    const peer = { stream_ids: [channel.id], user_ids: [user.id], ...archivedChannelFields(channel) };
    const event = events.subscription[op](peer);
    pending.push({ event, ...audience, except: [user.id] });
  }
  return pending;
}
