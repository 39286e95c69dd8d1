import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { Subscription, limits, subscriptionProperties } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form, id } from '../../endpoint/endpoint.ts';
import { ownList } from '../../http/json-text.ts';
import { badRequest, color, fullColor, newChannelParams, readNewChannel } from './params.ts';

const namesByUser = z.record(z.string(), z.array(z.string()));
const principals = form
  .json(
    z.union([
      z.array(id).max(limits.principalsPerRequest),
      z.array(z.string()).max(limits.principalsPerRequest),
    ]),
  )
  .optional();
const newSubscriptions = form.json(
  z
    .array(z.strictObject({ name: z.string(), color: color.optional(), description: z.string().optional() }))
    .max(limits.channelsPerRequest),
);
const names = form.json(z.array(z.string()).max(limits.channelsPerRequest));

const byUser = (namesOf: Map<number, string[]>) => Object.fromEntries(namesOf);

const channelsToJoin = (subscriptions: z.output<typeof newSubscriptions>) =>
  subscriptions.map(({ name, description = '', color: code }) => ({
    name,
    description,
    color: code === undefined ? null : fullColor(code),
  }));

const readNames = (list: string[]) => list.map((name) => name.trim());

const propertyName = z.enum([...subscriptionProperties, 'in_home_view']);
const value = z.union([z.boolean(), z.string()]);

function readEdit(edit: { stream_id: number; property: string; value: boolean | string }) {
  const parsed = propertyName.safeParse(edit.property);
  if (!parsed.success) throw badRequest(`A subscription has no property '${edit.property}'.`);
  const { stream_id: channelId } = edit;
  const { data: property } = parsed;
  if (property === 'color') {
    const read = color.safeParse(edit.value);
    if (!read.success) throw badRequest('color must be a color such as #a1b2c3.');
    return { channelId, property, value: fullColor(read.data) };
  }
  if (typeof edit.value !== 'boolean') throw badRequest(`${property} must be true or false.`);
  return property === 'in_home_view'
    ? { channelId, property: 'is_muted' as const, value: !edit.value }
    : { channelId, property, value: edit.value };
}

export const subscriptionRoutes = [
  endpoint({
    method: 'GET',
    path: '/users/me/subscriptions',
    summary: 'Lists the channels that the caller is subscribed to.',
    since: null,
    errors: [],
    fromReplicas: true,
    params: { include_subscribers: form.oneOf(['true', 'false', 'partial']).default('false') },
    returns: { subscriptions: z.array(Subscription) },
    async handle({ actor, params, snapshot }) {
      const options = { include: params.include_subscribers, withArchived: false, withNullSettings: true };
      const { subscriptions } = await snapshot(async (tx) =>
        model.channels.subscriptionsState(
          tx,
          actor,
          await model.channels.listChannelRecords(tx, actor),
          options,
        ),
      );
      return {
        subscriptions: params.include_subscribers === 'false' ? subscriptions : await ownList(subscriptions),
      };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/users/me/subscriptions',
    summary: 'Subscribes the caller or other users to channels, and creates the channels that do not exist.',
    since: null,
    errors: ['UNAUTHORIZED_PRINCIPAL'],
    requires: ['member'],
    isLong: true,
    params: {
      subscriptions: newSubscriptions,
      principals,
      authorization_errors_fatal: form.bool().default(true),
      announce: form.bool().default(false),
      send_new_subscription_messages: form.bool().default(true),
      ...newChannelParams,
    },
    returns: {
      subscribed: namesByUser,
      already_subscribed: namesByUser,
      unauthorized: z.array(z.string()).optional(),
      new_subscription_messages_sent: z.boolean().optional(),
    },
    async handle({ actor, params, perform }) {
      const input = {
        channels: channelsToJoin(params.subscriptions),
        principals: params.principals ?? null,
        creates: readNewChannel(params),
        isAnnounced: params.announce,
        sendsMessages: params.send_new_subscription_messages,
        isStrict: params.authorization_errors_fatal,
      };
      const result = await perform(actions.channels.subscribe, { actor, ...input });
      return {
        subscribed: byUser(result.subscribed),
        already_subscribed: byUser(result.alreadySubscribed),
        ...(!params.authorization_errors_fatal && { unauthorized: result.unauthorized }),
        ...(params.send_new_subscription_messages && {
          new_subscription_messages_sent: result.areMessagesSent,
        }),
      };
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/users/me/subscriptions',
    summary: 'Subscribes the caller to some channels and unsubscribes from others in one request.',
    since: null,
    errors: [],
    isLong: true,
    params: { add: newSubscriptions.default([]), delete: names.default([]) },
    returns: {
      subscribed: namesByUser,
      already_subscribed: namesByUser,
      new_subscription_messages_sent: z.boolean(),
      removed: z.array(z.string()),
      not_removed: z.array(z.string()),
    },
    async handle({ actor, params, perform }) {
      const changes = { add: channelsToJoin(params.add), remove: readNames(params.delete) };
      const { added, left } = await perform(actions.channels.changeSubscriptions, { actor, ...changes });
      return {
        subscribed: byUser(added.subscribed),
        already_subscribed: byUser(added.alreadySubscribed),
        new_subscription_messages_sent: added.areMessagesSent,
        removed: left.removed,
        not_removed: left.notRemoved,
      };
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/users/me/subscriptions',
    summary: 'Unsubscribes the caller or other users from channels.',
    since: null,
    errors: [],
    isLong: true,
    params: { subscriptions: names, principals },
    returns: { removed: z.array(z.string()), not_removed: z.array(z.string()) },
    async handle({ actor, params, perform }) {
      const input = { channels: readNames(params.subscriptions), principals: params.principals ?? null };
      const { removed, notRemoved } = await perform(actions.channels.unsubscribe, { actor, ...input });
      return { removed, not_removed: notRemoved };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/users/me/subscriptions/properties',
    summary: "Changes properties of several of the caller's subscriptions, such as color and muting.",
    since: null,
    errors: [],
    params: {
      subscription_data: form.json(
        z.array(z.object({ stream_id: id, property: z.string(), value })).max(limits.channelsPerRequest),
      ),
    },
    returns: {},
    async handle({ actor, params, perform }) {
      const edits = params.subscription_data.map(readEdit);
      await perform(actions.channels.editSubscriptionSettings, { actor, edits });
      return {};
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/users/me/subscriptions/:stream_id',
    summary: "Changes one property of one of the caller's subscriptions.",
    since: null,
    errors: [],
    params: { stream_id: form.id(), property: form.text(), value: form.text() },
    returns: {},
    async handle({ actor, params, perform }) {
      const edit = readEdit({ ...params, value: readValue(params.value) });
      await perform(actions.channels.editSubscriptionSettings, { actor, edits: [edit] });
      return {};
    },
  }),
];

/** Reads a boolean from JSON, and a color from plain text or a JSON string. */
function readValue(raw: string): boolean | string {
  if (raw === 'true' || raw === 'false') return raw === 'true';
  return /^".*"$/.test(raw) ? raw.slice(1, -1) : raw;
}
