import * as actions from '@parley/actions';
import { channelGroupNames } from '@parley/protocol';

import { endpoint, form, id } from '../../endpoint/endpoint.ts';
import { changedPermissions } from '../../endpoint/permissions.ts';
import { description, retention, topicsPolicy } from './params.ts';

const permissions = changedPermissions(channelGroupNames);

export const editChannelRoute = endpoint({
  method: 'PATCH',
  path: '/streams/:stream_id',
  summary: "Changes a channel's name, description, privacy, permissions or other settings.",
  since: null,
  errors: ['CHANNEL_ALREADY_EXISTS', 'EXPECTATION_MISMATCH', 'UNAUTHORIZED_PRINCIPAL'],
  isLong: true,
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
    ...permissions.params,
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
      permissions: permissions.sent(params),
    };
    await perform(actions.channels.edit, { actor, ...changes });
    return {};
  },
});
