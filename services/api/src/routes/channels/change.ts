import * as actions from '@parley/actions';
import { limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form, id } from '../../endpoint.ts';
import {
  description,
  given,
  newChannelParams,
  permissionChangeParams,
  readNewChannel,
  retention,
  topicsPolicy,
} from './settings.ts';

/** Creates, edits and archives channels. */
export const channelChangeRoutes = [
  endpoint({
    method: 'POST',
    path: '/channels/create',
    summary: 'Creates one channel and subscribes the given users to it.',
    since: 417,
    errors: ['CHANNEL_ALREADY_EXISTS', 'UNAUTHORIZED_PRINCIPAL'],
    requires: ['member'],
    params: {
      name: form.text(),
      subscribers: form.json(z.array(id).max(limits.principalsPerRequest)),
      description: description.default(''),
      announce: form.bool().default(false),
      ...newChannelParams,
    },
    returns: { id: z.int() },
    async handle({ actor, params, perform }) {
      const wanted = {
        ...readNewChannel(params),
        name: params.name,
        description: params.description,
      };
      const input = { channel: wanted, subscribers: params.subscribers, isAnnounced: params.announce };
      const { channel } = await perform((tx) => actions.channels.create(tx, actor, input));
      return { id: channel.id };
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/streams/:stream_id',
    summary: "Changes a channel's name, description, privacy, permissions or other settings.",
    since: null,
    errors: ['CHANNEL_ALREADY_EXISTS', 'EXPECTATION_MISMATCH', 'UNAUTHORIZED_PRINCIPAL'],
    params: {
      stream_id: form.id(),
      new_name: form.text().optional(),
      description: description.optional(),
      is_private: form.bool().optional(),
      is_web_public: form.bool().optional(),
      history_public_to_subscribers: form.bool().optional(),
      is_default_stream: form.bool().optional(),
      message_retention_days: retention.optional(),
      topics_policy: topicsPolicy.optional(),
      folder_id: form.json(id.nullable()).optional(),
      is_archived: form.oneOf(['false']).optional(),
      ...permissionChangeParams,
    },
    returns: {},
    async handle({ actor, params, perform }) {
      const changes = {
        channelId: params.stream_id,
        name: params.new_name,
        description: params.description,
        isPrivate: params.is_private,
        isWebPublic: params.is_web_public,
        sharesHistory: params.history_public_to_subscribers,
        isDefault: params.is_default_stream,
        messageRetentionDays: params.message_retention_days,
        topicsPolicy: params.topics_policy,
        folderId: params.folder_id,
        isRestored: params.is_archived === 'false',
        permissions: given(params),
      };
      await perform((tx) => actions.channels.edit(tx, actor, changes));
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/streams/:stream_id',
    summary: 'Archives a channel.',
    since: null,
    errors: [],
    params: { stream_id: form.id() },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform((tx) => actions.channels.archive(tx, actor, params.stream_id));
      return {};
    },
  }),
];
