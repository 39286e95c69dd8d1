import { channels } from '@parley/domain';
import { ApiError, Channel, Subscription, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form, id } from '../endpoint.ts';
import { readChannelName, readDescription } from '../names.ts';

const color = z.string().regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/, { error: 'is not a valid hex color code' });
const namesByUser = z.record(z.string(), z.array(z.string()));
const principal = z.union([
  z.array(id).max(limits.principalsPerRequest),
  z.array(z.string()).max(limits.principalsPerRequest),
]);

const fullHex = (value: string) =>
  (value.length === 4 ? value.replaceAll(/[0-9a-fA-F]/g, '$&$&') : value).toLowerCase();

const byUser = (names: Map<number, string[]>) => Object.fromEntries(names);

export const channelRoutes = [
  endpoint({
    method: 'GET',
    path: '/streams',
    params: {
      include_public: form.bool().default(true),
      include_web_public: form.bool().default(false),
      include_subscribed: form.bool().default(true),
      exclude_archived: form.bool().default(true),
      include_all: form.bool().default(false),
    },
    aliases: { include_all_active: 'include_all' },
    returns: { streams: z.array(Channel) },
    async handle({ actor, params, snapshot }) {
      const listed = await snapshot((tx) => channels.listChannels(tx, actor));
      const isWanted = ({ channel, isSubscribed }: (typeof listed)[number]) =>
        params.include_all ||
        (params.include_subscribed && isSubscribed) ||
        (params.include_web_public && channel.isWebPublic) ||
        (params.include_public && !channel.isPrivate && actor.role !== 600);
      return {
        streams: listed
          .filter((one) => !(params.exclude_archived && one.channel.isArchived) && isWanted(one))
          .map(({ record }) => record),
      };
    },
  }),

  endpoint({
    method: 'GET',
    path: '/users/me/subscriptions',
    params: { include_subscribers: form.oneOf(['true', 'false', 'partial']).default('false') },
    returns: { subscriptions: z.array(Subscription) },
    async handle({ actor, params, snapshot }) {
      const options = { include: params.include_subscribers, withArchived: false, withNullSettings: true };
      const { subscriptions } = await snapshot((tx) => channels.subscriptionsState(tx, actor, options));
      return { subscriptions };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/users/me/subscriptions',
    params: {
      subscriptions: form.json(
        z
          .array(
            z.strictObject({ name: z.string(), color: color.optional(), description: z.string().optional() }),
          )
          .max(limits.channelsPerRequest),
      ),
      principals: form.json(principal).optional(),
      authorization_errors_fatal: form.bool().default(true),
      invite_only: form.bool().default(false),
      history_public_to_subscribers: form.bool().optional(),
    },
    returns: {
      subscribed: namesByUser,
      already_subscribed: namesByUser,
      unauthorized: z.array(z.string()).optional(),
    },
    async handle({ actor, params, commit }) {
      const { subscriptions, principals, invite_only, history_public_to_subscribers } = params;
      if (!invite_only && history_public_to_subscribers === false) {
        throw new ApiError('BAD_REQUEST', 'Invalid parameters');
      }
      const wanted = subscriptions.map((one) => ({
        name: readChannelName(one.name),
        description: readDescription(one.description ?? ''),
        color: one.color ? fullHex(one.color) : null,
      }));
      const input = {
        channels: [...new Map(wanted.map((one) => [one.name.toLowerCase(), one])).values()],
        principals: principals ?? null,
        creates: { isPrivate: invite_only, sharesHistory: history_public_to_subscribers ?? !invite_only },
        isStrict: params.authorization_errors_fatal,
      };
      const done = await commit((tx) => channels.subscribe(tx, actor, input));
      return {
        subscribed: byUser(done.subscribed),
        already_subscribed: byUser(done.alreadySubscribed),
        ...(!params.authorization_errors_fatal && { unauthorized: done.unauthorized }),
      };
    },
  }),
];
