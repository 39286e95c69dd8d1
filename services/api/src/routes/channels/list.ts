import { type Actor, isGuest } from '@parley/model';
import * as model from '@parley/model';
import { Channel, TopicName } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../../endpoint/endpoint.ts';
import type { ParametersOf } from '../../http/parameters.ts';

const stream_id = form.id();

const filterParams = {
  include_public: form.bool().default(true),
  include_web_public: form.bool().default(false),
  include_subscribed: form.bool().default(true),
  exclude_archived: form.bool().default(true),
  include_all: form.bool().default(false),
  include_default: form.bool().default(false),
  include_owner_subscribed: form.bool().default(false),
  include_can_access_content: form.bool().default(false),
};

/** Whether a channel meets one of the conditions that a request names. */
function isIncluded(
  { channel, isSubscribed, mayRead }: model.channels.ChannelRecord,
  params: ParametersOf<typeof filterParams>,
  actor: Actor,
  ownerChannelIds: ReadonlySet<number>,
): boolean {
  if (params.exclude_archived && channel.isArchived) return false;
  return (
    params.include_all ||
    (params.include_can_access_content && mayRead) ||
    (params.include_subscribed && isSubscribed) ||
    (params.include_web_public && channel.isWebPublic) ||
    ownerChannelIds.has(channel.id) ||
    (params.include_public && !channel.isPrivate && !isGuest(actor))
  );
}

/** Reads channels, their subscribers and their topics. */
export const channelListRoutes = [
  endpoint({
    method: 'GET',
    path: '/streams',
    summary: 'Lists the channels that the caller may see, filtered by the given conditions.',
    since: null,
    errors: [],
    fromReplicas: true,
    params: filterParams,
    aliases: { include_all_active: 'include_all' },
    returns: { streams: z.array(Channel.extend({ is_default: z.boolean().optional() })) },
    async handle({ actor, params, snapshot }) {
      const { channels, ownerChannelIds } = await snapshot(async (tx) => ({
        channels: await model.channels.listChannelRecords(tx, actor),
        ownerChannelIds:
          params.include_owner_subscribed && actor.botOwnerId !== null
            ? await model.channels.listSubscribedChannelIds(tx, actor.realm.id, actor.botOwnerId)
            : new Set<number>(),
      }));
      return {
        streams: channels
          .filter((channel) => isIncluded(channel, params, actor, ownerChannelIds))
          .map(({ record, channel }) =>
            params.include_default ? { ...record, is_default: channel.isDefault } : record,
          ),
      };
    },
  }),

  endpoint({
    method: 'GET',
    path: '/streams/:stream_id',
    summary: 'Answers with one channel.',
    since: 132,
    errors: [],
    params: { stream_id },
    returns: { stream: Channel },
    handle: ({ actor, params, snapshot }) =>
      snapshot(async (tx) => ({
        stream: await model.channels.presentVisibleChannel(
          tx,
          actor,
          await model.access.getVisibleChannel(tx, actor, params.stream_id),
        ),
      })),
  }),

  endpoint({
    method: 'GET',
    path: '/get_stream_id',
    summary: 'Finds the id of a channel by its name.',
    since: null,
    errors: [],
    params: { stream: form.line(1000) },
    returns: { stream_id: z.int() },
    async handle({ actor, params, snapshot }) {
      const { channel } = await snapshot((tx) =>
        model.access.getVisibleChannel(tx, actor, params.stream.trim()),
      );
      return { stream_id: channel.id };
    },
  }),

  endpoint({
    method: 'GET',
    path: '/streams/:stream_id/members',
    summary: "Lists the ids of a channel's subscribers.",
    since: null,
    errors: [],
    fromReplicas: true,
    params: { stream_id },
    returns: { subscribers: z.array(z.int()) },
    handle: ({ actor, params, snapshot }) =>
      snapshot(async (tx) => {
        const { channel } = await model.access.getVisibleChannel(tx, actor, params.stream_id);
        const subscribers = await model.channels.listSubscribers(tx, actor.realm.id, [
          channel.conversationId,
        ]);
        return { subscribers: subscribers.get(channel.conversationId) ?? [] };
      }),
  }),

  endpoint({
    method: 'GET',
    path: '/streams/:stream_id/email_address',
    summary: 'Answers with the address that turns email into messages of a channel.',
    since: 226,
    errors: [],
    params: { stream_id, sender_id: form.id().optional() },
    returns: { email: z.string() },
    handle: ({ actor, params, snapshot }) =>
      snapshot(async (tx) => ({
        email: await model.channels.getChannelEmailAddress(tx, actor, {
          channelId: params.stream_id,
          senderId: params.sender_id ?? actor.id,
        }),
      })),
  }),

  endpoint({
    method: 'GET',
    path: '/users/me/:stream_id/topics',
    summary: 'Lists the topics of a channel, the most recently used first.',
    since: null,
    errors: [],
    fromReplicas: true,
    auth: 'spectator',
    params: { stream_id },
    returns: { topics: z.array(z.strictObject({ name: TopicName, max_id: z.int() })) },
    async handle({ actor, params, snapshot }) {
      const topics = await snapshot((tx) => model.topics.listTopics(tx, actor, params.stream_id));
      return {
        topics: topics.map(({ name, maxId }) => ({ name, max_id: maxId })),
      };
    },
  }),

  endpoint({
    method: 'GET',
    path: '/users/:user_id/subscriptions/:stream_id',
    summary: 'Says whether a user is subscribed to a channel.',
    since: null,
    errors: [],
    params: { user_id: form.id(), stream_id },
    returns: { is_subscribed: z.boolean() },
    handle: ({ actor, params, snapshot }) =>
      snapshot(async (tx) => ({
        is_subscribed: await model.channels.isSubscribedTo(tx, actor, {
          userId: params.user_id,
          channelId: params.stream_id,
        }),
      })),
  }),

  endpoint({
    method: 'GET',
    path: '/users/:user_id/channels',
    summary: 'Lists the ids of the channels that a user is subscribed to, as far as the caller may see them.',
    since: 440,
    errors: [],
    fromReplicas: true,
    params: { user_id: form.id() },
    returns: { subscribed_channel_ids: z.array(z.int()) },
    handle: ({ actor, params, snapshot }) =>
      snapshot(async (tx) => ({
        subscribed_channel_ids: await model.channels.listVisibleSubscribedChannelIds(
          tx,
          actor,
          params.user_id,
        ),
      })),
  }),
];
