import { type Tx, type ChannelRow, type UserRow, tables } from '@parley/db';
import {
  type Actor,
  getRules,
  withAccessChanges,
  type Rules,
  mayRemoveSubscribers,
  listSubscribers,
  type ChannelAccess,
  maySeeChannel,
  archivedChannelFields,
  toChannelAudience,
  channelAudience,
  withRulesVersion,
  channelRemovedEvents,
} from '@parley/model';
import { type ActionResult, ApiError, type PendingEvent, events, to } from '@parley/protocol';
import { and, eq, inArray, asc } from 'drizzle-orm';

import { markPlaceRead } from '../../messages/index.ts';
import { clearFormerMembers } from '../clear-former-members.ts';
import { lockChannels, type FindLockedChannel } from '../lock.ts';
import { getPrincipals } from './principals.ts';

export interface UnsubscribeInput {
  /** Names. */
  channels: string[];
  /** User ids or addresses; the actor alone when null. */
  principals: number[] | string[] | null;
}

export interface UnsubscribeResult extends ActionResult {
  /** Names of channels that somebody was in, and that somebody was not. */
  removed: string[];
  notRemoved: string[];
}

/** Takes users out of channels. What they received stays theirs, and is read. */
export async function unsubscribe(tx: Tx, actor: Actor, input: UnsubscribeInput): Promise<UnsubscribeResult> {
  const rules = await getRules(tx, actor.realm.id);
  return await withAccessChanges(tx, actor.realm, rules, await unsubscribeUsers(tx, actor, rules, input));
}

/** As `unsubscribe`, without what guests are told of the people they see no more. */
export async function unsubscribeUsers(
  tx: Tx,
  actor: Actor,
  rules: Rules,
  { channels: names, principals }: UnsubscribeInput,
): Promise<UnsubscribeResult> {
  const users = await getPrincipals(tx, actor, principals);
  const find = await lockChannels(tx, actor, names);
  const found = await getChannels(actor, rules, names, find);
  const isForOthers = users.some(({ id, botOwnerId }) => id !== actor.id && botOwnerId !== actor.id);
  if (isForOthers && !found.every((access) => mayRemoveSubscribers(actor, access, rules))) {
    throw new ApiError('BAD_REQUEST', 'Insufficient permission');
  }

  const conversationIds = found.map(({ channel }) => channel.conversationId);
  const subscribers = await listSubscribers(tx, conversationIds);
  const leavings = found.map(({ channel }): ChannelLeave => {
    const present = new Set(subscribers.get(channel.conversationId));
    return { channel, left: users.filter(({ id }) => present.has(id)) };
  });
  leavings.sort((a, b) => a.channel.conversationId - b.channel.conversationId);
  const pending: PendingEvent[] = [];
  for (const leaving of leavings) pending.push(...(await leaveChannel(tx, actor, rules, leaving)));
  const namesOf = (those: ChannelLeave[]) => those.map(({ channel }) => channel.name).sort();
  return {
    events: pending,
    memberships: leavings
      .filter(({ left }) => left.length > 0)
      .map(({ channel, left }) => ({
        conversationId: channel.conversationId,
        joined: [],
        left: left.map(({ id }) => id),
      })),
    keepsRules: pending.length === 0,
    removed: namesOf(leavings.filter(({ left }) => left.length > 0)),
    notRemoved: namesOf(leavings.filter(({ left }) => left.length < users.length)),
  };
}

interface ChannelLeave {
  channel: ChannelRow;
  left: UserRow[];
}

async function getChannels(
  actor: Actor,
  rules: Rules,
  names: string[],
  find: FindLockedChannel,
): Promise<ChannelAccess[]> {
  const found = new Map<number, ChannelAccess>();
  const unknown: string[] = [];
  for (const name of names) {
    const access = await find(name);
    if (access && maySeeChannel(actor, access, rules)) found.set(access.channel.id, access);
    else unknown.push(name);
  }
  if (unknown.length > 0) {
    throw new ApiError('BAD_REQUEST', `Channel(s) (${unknown.join(', ')}) do not exist`);
  }
  return [...found.values()];
}

/** Order of reference/events.md 5: the others hear of it, then those who left, then who sees the channel no more. */
async function leaveChannel(
  tx: Tx,
  { realm }: Actor,
  rules: Rules,
  { channel, left }: ChannelLeave,
): Promise<PendingEvent[]> {
  if (left.length === 0) return [];
  const ids = left.map(({ id }) => id);
  await lockMembers(tx, channel, ids);
  const blind = left.filter((user) => !maySeeChannel(user, { channel, isSubscribed: false }, rules));
  const losers = blind.length > 0 ? { users: blind.map(({ id }) => id) } : null;
  if (losers) await clearFormerMembers(tx, channel, losers);
  const peers = events.subscription.peer_remove({
    stream_ids: [channel.id],
    user_ids: ids,
    ...archivedChannelFields(channel),
  });
  const removed = events.subscription.remove({
    subscriptions: [{ stream_id: channel.id, name: channel.name }],
    ...archivedChannelFields(channel),
  });
  // What nobody will come back to is read: it would count as unread for ever.
  const read: PendingEvent[] = [];
  for (const { id } of left) {
    read.push(...(await markPlaceRead(tx, { id, realm }, { channelId: channel.id })).events);
  }
  return [
    toChannelAudience(
      { ...(await channelAudience(tx, realm, channel, rules)), ...(ids.length === 1 && { except: ids }) },
      rules,
      peers,
    ),
    // Whether they see it no more depends on their roles.
    channel.isPrivate ? withRulesVersion(rules, to.users(ids, removed)) : to.users(ids, removed),
    ...channelRemovedEvents(losers, rules, channel),
    ...read,
  ];
}

/** The log writes the ranges of those who leave under its lock: their rows are held before it. */
async function lockMembers(tx: Tx, { conversationId }: ChannelRow, userIds: number[]): Promise<void> {
  const { conversationMembers } = tables;
  const these = and(
    eq(conversationMembers.conversationId, conversationId),
    inArray(conversationMembers.userId, userIds),
  );
  await tx
    .select({ id: conversationMembers.userId })
    .from(conversationMembers)
    .where(these)
    .orderBy(asc(conversationMembers.userId))
    .for('update');
}
