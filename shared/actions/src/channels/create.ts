import type { Tx, ChannelRow } from '@parley/db';
import { parseChannelName, parseChannelDescription, type Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';

import { lockName, lockConversations } from '../lock.ts';
import { type NewChannel, resolveNewSettings, insertChannel } from './insert.ts';
import { lockDefaults } from './lock.ts';
import { channelNameTaken } from './names.ts';
import { announcementNotices, creationNotice } from './notices.ts';
import { join } from './subscriptions/join.ts';
import { getPrincipals } from './subscriptions/principals.ts';

export interface ChannelCreation {
  channel: NewChannel;
  /** Ids of its first subscribers. */
  subscribers: number[];
  isAnnounced: boolean;
  /** Nothing is written into it: it comes with an archive. */
  isQuiet?: boolean;
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
  { actor, channel: input, subscribers, isAnnounced, isQuiet = false }: { actor: Actor } & ChannelCreation,
): Promise<ActionResult & { channel: ChannelRow }> {
  model.permissions.assertMember(actor);
  const requested = {
    ...input,
    name: parseChannelName(input.name),
    description: parseChannelDescription(input.description),
  };
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  if (requested.isDefault) await lockDefaults(tx, actor.realm);
  await lockName(tx, 'channel', actor.realm.id, requested.name);
  const existing = await model.access.findChannel(tx, actor, requested.name);
  if (existing) throw channelNameTaken(existing.channel.name);
  const settings = await resolveNewSettings(tx, actor, rules, requested);
  const users = await getPrincipals(tx, actor, subscribers);
  const { name, description } = requested;
  const channel = await insertChannel(tx, actor, { ...settings, name, description });
  const isForOthers = users.some(({ id }) => id !== actor.id);
  if (isForOthers && !model.access.mayAddSubscribers(actor, { channel, isSubscribed: false }, rules)) {
    throw new ApiError('BAD_REQUEST', 'You do not have permission to do this.');
  }
  await lockConversations(tx, actor.realm, [channel.conversationId]);
  const joined = await model.accessChanges.withAccessChanges(
    tx,
    actor.realm,
    rules,
    await join(tx, actor.realm, rules, [{ channel, users, color: null, isNew: true }]),
  );
  return {
    ...joined,
    events: [
      ...joined.events,
      ...(channel.isDefault ? [await model.defaultChannels.defaultChannelsEvent(tx, actor.realm)] : []),
      ...(isAnnounced ? await announcementNotices(tx, actor, rules, [channel]) : []),
      ...(isQuiet ? [] : await creationNotice(tx, actor, channel)),
    ],
    channel,
  };
}
create.actionName = 'channels.create' as const;
