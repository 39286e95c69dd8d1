import type { Tx, ChannelRow } from '@parley/db';
import { assertMember, parseChannelName, parseChannelDescription } from '@parley/model';
import {
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
  /** Ids of those who are in it from the start. */
  subscribers: number[];
  isAnnounced: boolean;
}

/** Makes a channel. Whoever makes it is in it only if listed. */
export async function create(
  tx: Tx,
  actor: Actor,
  { channel: input, subscribers, isAnnounced }: ChannelCreation,
): Promise<ActionResult & { channel: ChannelRow }> {
  assertMember(actor);
  const wanted = {
    ...input,
    name: parseChannelName(input.name),
    description: parseChannelDescription(input.description),
  };
  const rules = await getRules(tx, actor.realm.id);
  if (wanted.isDefault) await lockDefaults(tx, actor.realm);
  await lockName(tx, 'channel', actor.realm.id, wanted.name);
  const same = await findChannel(tx, actor, wanted.name);
  if (same) throw channelNameTaken(same.channel.name);
  const settings = await resolveNewSettings(tx, actor, rules, wanted);
  const users = await getPrincipals(tx, actor, subscribers);
  const { name, description } = wanted;
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
