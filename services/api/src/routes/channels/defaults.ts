import * as actions from '@parley/actions';
import { limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../../endpoint/endpoint.ts';
import { badRequest, description } from './params.ts';

const group_id = form.id();
const stream_names = form.json(z.array(z.string()).max(limits.channelsPerRequest));

/** Changes the channels that new users are subscribed to. */
export const defaultChannelRoutes = [
  endpoint({
    method: 'POST',
    path: '/default_streams',
    summary: 'Adds a channel to those that new users are subscribed to.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: { stream_id: form.id() },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.channels.addDefault, { actor, channelId: params.stream_id });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/default_streams',
    summary: 'Removes a channel from those that new users are subscribed to.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: { stream_id: form.id() },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.channels.removeDefault, { actor, channelId: params.stream_id });
      return {};
    },
  }),

  endpoint({
    method: 'POST',
    path: '/default_stream_groups/create',
    summary: 'Creates a group of default channels that new users can choose.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: { group_name: form.text(), description, stream_names },
    returns: {},
    async handle({ actor, params, perform }) {
      const input = {
        name: params.group_name,
        description: params.description,
        channels: params.stream_names,
      };
      await perform(actions.channels.createDefaultGroup, { actor, ...input });
      return {};
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/default_stream_groups/:group_id',
    summary: 'Changes the name or the description of a group of default channels.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: {
      group_id,
      new_group_name: form.text().optional(),
      new_description: description.optional(),
    },
    returns: {},
    async handle({ actor, params, perform }) {
      const { group_id: groupId, new_group_name: name, new_description: text } = params;
      if (name === undefined && text === undefined) {
        throw badRequest("Send 'new_description' or 'new_group_name'.");
      }
      const input = {
        id: groupId,
        name,
        description: text,
      };
      await perform(actions.channels.editDefaultGroup, { actor, ...input });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/default_stream_groups/:group_id',
    summary: 'Removes a group of default channels.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: { group_id },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.channels.removeDefaultGroup, { actor, id: params.group_id });
      return {};
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/default_stream_groups/:group_id/streams',
    summary: 'Adds channels to a group of default channels, or removes them from it.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: { group_id, op: form.text(), stream_names },
    returns: {},
    async handle({ actor, params, perform }) {
      const { group_id: groupId, op, stream_names: list } = params;
      if (op !== 'add' && op !== 'remove') {
        throw badRequest("'op' must be 'add' or 'remove'.");
      }
      await perform(actions.channels.changeDefaultGroupChannels, { actor, id: groupId, op, channels: list });
      return {};
    },
  }),
];
