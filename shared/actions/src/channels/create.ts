import type { Tx, ChannelRow } from '@parley/db';
import {
  assertMember,
  parseChannelName,
  parseChannelDescription,
  type Actor,
  getRules,
  findChannel,
  mayAddSubscribers,
  withAccessChanges,
  defaultChannelsEvent,
} from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';

import { lockName, lockConversations } from '../lock.ts';
import { lockDefaults } from './defaults/channels.ts';
import { type NewChannel, resolveNewSettings, insertChannel } from './insert.ts';
import { channelNameTaken } from './names.ts';
import { announcementNotices, creationNotice } from './notices.ts';
import { join } from './subscriptions/join.ts';
import { getPrincipals } from './subscriptions/principals.ts';

export interface ChannelCreation {
  channel: NewChannel;
  /** Ids of its first subscribers. */
  subscribers: number[];
  isAnnounced: boolean;
}

/**
 * Creates a channel. The actor is subscribed to it only if listed.
 *
 * @throws BAD_REQUEST for a guest, an invalid name, description or setting, users who do not exist, or without the
 * permission to create such a channel or to subscribe others
 * @throws CHANNEL_ALREADY_EXISTS when another channel has the name
 * @throws UNAUTHORIZED_PRINCIPAL for a retention time, for anyone but owners
 * @throws SYSTEM_GROUP_REQUIRED for a permission that only system groups may have
 */
export async function create(
  tx: Tx,
  actor: Actor,
  { channel: input, subscribers, isAnnounced }: ChannelCreation,
): Promise<ActionResult & { channel: ChannelRow }> {
  assertMember(actor);
  const requested = {
    ...input,
    name: parseChannelName(input.name),
    description: parseChannelDescription(input.description),
  };
  const rules = await getRules(tx, actor.realm.id);
  if (requested.isDefault) await lockDefaults(tx, actor.realm);
  await lockName(tx, 'channel', actor.realm.id, requested.name);
  const existing = await findChannel(tx, actor, requested.name);
  if (existing) throw channelNameTaken(existing.channel.name);
  const settings = await resolveNewSettings(tx, actor, rules, requested);
  const users = await getPrincipals(tx, actor, subscribers);
  const { name, description } = requested;
  const channel = await insertChannel(tx, actor, { ...settings, name, description });
  const isForOthers = users.some(({ id }) => id !== actor.id);
  if (isForOthers && !mayAddSubscribers(actor, { channel, isSubscribed: false }, rules)) {
    throw new ApiError('BAD_REQUEST', 'Insufficient permission');
  }
  await lockConversations(tx, [channel.conversationId]);
  const joined = await withAccessChanges(
    tx,
    actor.realm,
    rules,
    await join(tx, actor.realm, rules, [{ channel, users, color: null, isNew: true }]),
  );
  return {
    ...joined,
    events: [
      ...joined.events,
      ...(channel.isDefault ? [await defaultChannelsEvent(tx, actor.realm)] : []),
      ...(isAnnounced ? await announcementNotices(tx, actor, rules, [channel]) : []),
      ...(await creationNotice(tx, actor, channel)),
    ],
    channel,
  };
}
