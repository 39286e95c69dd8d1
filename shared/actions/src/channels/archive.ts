import { type Tx, type ChannelRow, tables } from '@parley/db';
import { type Actor, isAmong, toSeconds } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, events, type PendingEvent, roles, to } from '@parley/protocol';
import { and, eq, asc, lt, or } from 'drizzle-orm';

import { lockRealm } from '../lock.ts';
import { removeFromDefaultGroups } from './defaults/groups.ts';
import { lockForEditing, saveChannel, type EditContext, type PartialEdit } from './edit/editing.ts';
import { channelNotice } from './notices.ts';
import { unsetChannelSettings } from './unset-channel.ts';

/**
 * Archives a channel: nobody writes in it any more, and its subscriptions are kept. A notice in it says so, unless it is quiet.
 *
 * @throws BAD_REQUEST for a channel that the actor may not see or administer, or that is archived
 */
export async function archive(
  tx: Tx,
  { actor, channelId, isQuiet = false }: { actor: Actor; channelId: number; isQuiet?: boolean },
): Promise<ActionResult> {
  await lockRealm(tx, actor.realm.id);
  const { access, rules } = await lockForEditing(tx, actor, channelId);
  const before = access.channel;
  if (before.isArchived) throw new ApiError('BAD_REQUEST', 'This channel is already archived.');
  const channel = { ...before, isArchived: true, isDefault: false };
  await saveChannel(tx, channel);
  const isInGroup = await removeFromDefaultGroups(tx, actor.realm.id, channel.id);
  const event = events.stream.update({
    stream_id: channel.id,
    name: channel.name,
    property: 'is_archived',
    value: true,
  });
  return {
    events: [
      // The notice comes while the channel is still there for everyone.
      ...(isQuiet ? [] : await channelNotice(tx, actor, channel, (text) => text.channel.archived)),
      ...(await unsetChannelSettings(tx, actor.realm.id, channel.id)),
      ...(before.isDefault ? [await model.defaultChannels.defaultChannelsEvent(tx, actor.realm)] : []),
      ...(isInGroup ? [await model.defaultChannels.defaultChannelGroupsEvent(tx, actor.realm)] : []),
      model.access.toChannelAudience(
        await model.access.channelAudience(tx, actor.realm, channel, rules),
        rules,
        event,
      ),
    ],
    changesRules: true,
  };
}
archive.actionName = 'channels.archive' as const;

/**
 * Brings a channel back from the archive. Clients that do not know archived channels get the whole channel again.
 *
 * @throws BAD_REQUEST for a channel that is not archived
 */
export async function unarchive(
  tx: Tx,
  { actor, rules, facts, subscribers }: EditContext,
  before: ChannelRow,
): Promise<PartialEdit> {
  if (!before.isArchived) throw new ApiError('BAD_REQUEST', 'This channel is not archived.');
  const channel = { ...before, isArchived: false };
  const audience = await model.access.channelAudience(tx, actor.realm, channel, rules);
  const record = model.channels.presentChannel(channel, facts, rules);
  const update = events.stream.update({
    stream_id: channel.id,
    name: channel.name,
    property: 'is_archived',
    value: false,
    channel: record,
  });
  const users = await model.users.listUsers(tx, actor.realm.id, subscribers);
  const adds = model.channels.subscriptionAddedEvents(
    channel,
    record,
    subscribers,
    users,
    await listMemberships(tx, channel, subscribers),
  );
  const peers = events.subscription.peer_add({
    stream_ids: [channel.id],
    user_ids: subscribers,
    of_archived: 'returned',
  });
  return {
    channel,
    events: [
      model.access.toChannelAudience(audience, rules, update),
      ...adds.map((pending): PendingEvent => ({
        ...pending,
        event: { ...pending.event, of_archived: 'returned' },
      })),
      ...(subscribers.length > 0
        ? [model.access.toChannelAudience({ ...audience, except: subscribers }, rules, peers)]
        : []),
      ...(await returnedTopicEvents(tx, channel, subscribers)),
    ],
    notices: [(text) => text.channel.restored],
  };
}

/** Events about the topics of the channel for which users have set a policy, as far as they see the channel. */
async function returnedTopicEvents(
  tx: Tx,
  channel: ChannelRow,
  subscribers: number[],
): Promise<PendingEvent[]> {
  const { topics, userTopics, users } = tables;
  const rows = await tx
    .select({
      userId: userTopics.userId,
      topic: topics.name,
      policy: userTopics.policy,
      at: userTopics.updatedAt,
    })
    .from(userTopics)
    .innerJoin(
      topics,
      and(
        eq(topics.realmId, channel.realmId),
        eq(topics.id, userTopics.topicId),
        eq(topics.channelId, channel.id),
      ),
    )
    .innerJoin(users, and(eq(users.realmId, channel.realmId), eq(users.id, userTopics.userId)))
    .where(
      and(
        eq(userTopics.realmId, channel.realmId),
        or(isAmong(users.id, subscribers), channel.isPrivate ? undefined : lt(users.role, roles.guest)),
      ),
    )
    .orderBy(asc(userTopics.userId), asc(userTopics.updatedAt));
  const { muted } = model.userTopics.topicPolicies;
  const muting = [...new Set(rows.filter(({ policy }) => policy === muted).map(({ userId }) => userId))];
  const lists = (await model.userTopics.listUserTopics(tx, channel.realmId, muting, muted)).map((topic) =>
    topic.channelId === channel.id ? { ...topic, isArchived: false } : topic,
  );
  const returned = ({ event, ...pending }: PendingEvent): PendingEvent => ({
    ...pending,
    event: { ...event, of_archived: 'returned' },
  });
  return [
    ...muting.map((id) =>
      model.userTopics.mutedTopicsEvent(
        id,
        lists.filter(({ userId }) => userId === id),
      ),
    ),
    ...rows.map(({ userId, topic, policy, at }) =>
      to.user(
        { id: userId },
        events.userTopic({
          stream_id: channel.id,
          topic_name: topic,
          last_updated: toSeconds(at),
          visibility_policy: policy,
        }),
      ),
    ),
  ].map(returned);
}

async function listMemberships(tx: Tx, { realmId, conversationId }: ChannelRow, userIds: number[]) {
  const { conversationMembers } = tables;
  if (userIds.length === 0) return new Map();
  const rows = await tx
    .select()
    .from(conversationMembers)
    .where(
      and(
        eq(conversationMembers.realmId, realmId),
        eq(conversationMembers.conversationId, conversationId),
        isAmong(conversationMembers.userId, userIds),
      ),
    )
    .orderBy(asc(conversationMembers.userId));
  return new Map(rows.map((row) => [row.userId, row]));
}
