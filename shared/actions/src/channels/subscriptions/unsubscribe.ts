import { type Tx, type ChannelRow, type UserRow, tables } from '@parley/db';
import { type Actor, isAmong } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, type PendingEvent, events, to } from '@parley/protocol';
import { and, eq, asc } from 'drizzle-orm';

import { markPlaceRead } from '../../messages/index.ts';
import { clearFormerMembers } from '../clear-former-members.ts';
import { lockChannels, type FindLockedChannel } from '../lock.ts';
import { getPrincipals } from './principals.ts';

export interface UnsubscribeInput {
  /** Names of channels. */
  channels: string[];
  /** Ids or email addresses of users; null means the actor alone. */
  principals: number[] | string[] | null;
}

export interface UnsubscribeResult extends ActionResult {
  /** Names of channels from which a user was unsubscribed. */
  removed: string[];
  /** Names of channels to which a user was not subscribed. */
  notRemoved: string[];
}

/**
 * Unsubscribes users from channels. Messages that they received stay theirs, and become read.
 *
 * @throws BAD_REQUEST for channels that the actor may not see, users who do not exist, or others whom the actor may not
 * unsubscribe
 */
export async function unsubscribe(
  tx: Tx,
  { actor, ...input }: { actor: Actor } & UnsubscribeInput,
): Promise<UnsubscribeResult> {
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  return await model.accessChanges.withAccessChanges(
    tx,
    actor.realm,
    rules,
    await unsubscribeUsers(tx, actor, rules, input),
  );
}
unsubscribe.actionName = 'channels.unsubscribe' as const;

/**
 * Unsubscribes users from channels. The caller adds the events of users whom guests may no longer see.
 *
 * @throws BAD_REQUEST as unsubscribe
 */
export async function unsubscribeUsers(
  tx: Tx,
  actor: Actor,
  rules: model.permissions.Rules,
  { channels: names, principals }: UnsubscribeInput,
): Promise<UnsubscribeResult> {
  const users = await getPrincipals(tx, actor, principals);
  const find = await lockChannels(tx, actor, names);
  const accesses = await getChannels(actor, rules, names, find);
  const isForOthers = users.some(({ id, botOwnerId }) => id !== actor.id && botOwnerId !== actor.id);
  if (isForOthers && !accesses.every((access) => model.access.mayRemoveSubscribers(actor, access, rules))) {
    throw new ApiError('BAD_REQUEST', 'You do not have permission to do this.');
  }

  const conversationIds = accesses.map(({ channel }) => channel.conversationId);
  const userIds = users.map(({ id }) => id);
  const subscribedTo = await model.channels.listSubscribedAmong(tx, actor.realm.id, conversationIds, userIds);
  const leaves = accesses.map(({ channel }): ChannelLeave => {
    const present = subscribedTo(channel.conversationId);
    return { channel, left: users.filter(({ id }) => present.has(id)) };
  });
  leaves.sort((a, b) => a.channel.conversationId - b.channel.conversationId);
  const pending: PendingEvent[] = [];
  for (const leave of leaves) pending.push(...(await leaveChannel(tx, actor, rules, leave)));
  const namesOf = (channelLeaves: ChannelLeave[]) => channelLeaves.map(({ channel }) => channel.name).sort();
  return {
    events: pending,
    memberships: leaves
      .filter(({ left }) => left.length > 0)
      .map(({ channel, left }) => ({
        conversationId: channel.conversationId,
        joined: [],
        left: left.map(({ id }) => id),
      })),
    changesRules: pending.length > 0,
    removed: namesOf(leaves.filter(({ left }) => left.length > 0)),
    notRemoved: namesOf(leaves.filter(({ left }) => left.length < users.length)),
  };
}

interface ChannelLeave {
  channel: ChannelRow;
  left: UserRow[];
}

async function getChannels(
  actor: Actor,
  rules: model.permissions.Rules,
  names: string[],
  find: FindLockedChannel,
): Promise<model.access.ChannelAccess[]> {
  const accesses = new Map<number, model.access.ChannelAccess>();
  const unknown: string[] = [];
  for (const name of names) {
    const access = await find(name);
    if (access && model.access.maySeeChannel(actor, access, rules)) accesses.set(access.channel.id, access);
    else unknown.push(name);
  }
  if (unknown.length > 0) {
    throw new ApiError('BAD_REQUEST', `These channels do not exist: ${unknown.join(', ')}.`);
  }
  return [...accesses.values()];
}

/**
 * Clients expect this order: events for the other subscribers, then for those who left, then for those of them who no
 * longer see the channel.
 */
async function leaveChannel(
  tx: Tx,
  { realm }: Actor,
  rules: model.permissions.Rules,
  { channel, left }: ChannelLeave,
): Promise<PendingEvent[]> {
  if (left.length === 0) return [];
  const ids = left.map(({ id }) => id);
  await lockMembers(tx, channel, ids);
  const withoutAccess = left.filter(
    (user) => !model.access.maySeeChannel(user, { channel, isSubscribed: false }, rules),
  );
  const losers = withoutAccess.length > 0 ? { users: withoutAccess.map(({ id }) => id) } : null;
  if (losers) await clearFormerMembers(tx, channel, losers);
  const peers = events.subscription.peer_remove({
    stream_ids: [channel.id],
    user_ids: ids,
    ...model.channels.archivedChannelFields(channel),
  });
  const removed = events.subscription.remove({
    subscriptions: [{ stream_id: channel.id, name: channel.name }],
    ...model.channels.archivedChannelFields(channel),
  });
  // Unread messages of the channel become read: else they would count as unread for ever.
  const read: PendingEvent[] = [];
  for (const { id } of left) {
    read.push(...(await markPlaceRead(tx, { id, realm }, { channelId: channel.id })).events);
  }
  return [
    model.access.toChannelAudience(
      {
        ...(await model.access.channelAudience(tx, realm, channel, rules)),
        ...(ids.length === 1 && { except: ids }),
      },
      rules,
      peers,
    ),
    // Whether they still see the channel depends on their roles.
    channel.isPrivate ? model.access.withRulesVersion(rules, to.users(ids, removed)) : to.users(ids, removed),
    ...model.channels.channelRemovedEvents(losers, rules, channel),
    ...read,
  ];
}

/** Locks the rows of members who leave: the log writes their ranges under its lock, which comes after these. */
async function lockMembers(
  tx: Tx,
  { realmId, conversationId }: ChannelRow,
  userIds: number[],
): Promise<void> {
  const { conversationMembers } = tables;
  const areLeaving = and(
    eq(conversationMembers.realmId, realmId),
    eq(conversationMembers.conversationId, conversationId),
    isAmong(conversationMembers.userId, userIds),
  );
  await tx
    .select({ id: conversationMembers.userId })
    .from(conversationMembers)
    .where(areLeaving)
    .orderBy(asc(conversationMembers.userId))
    .for('update');
}
