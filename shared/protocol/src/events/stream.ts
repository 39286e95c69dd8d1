import { z } from 'zod';

import { Channel } from '../objects/channel.ts';
import { GroupSetting, channelGroupNames } from '../settings/groups.ts';
import { eventFamily, sentEvent } from './family.ts';
import { ofArchived, reachesClient } from './of-archived.ts';

/** Properties of a channel that may change. */
const channelProperties = [
  'name',
  'description',
  'invite_only',
  'stream_post_policy',
  'is_announcement_only',
  'message_retention_days',
  'first_message_id',
  'folder_id',
  'is_recently_active',
  'topics_policy',
  'is_archived',
  ...channelGroupNames,
] as const;
export type ChannelProperty = (typeof channelProperties)[number];

const removed = {
  stream_ids: z.array(z.int()),
  streams: z.array(z.strictObject({ stream_id: z.int() })),
};

const updated = {
  stream_id: z.int(),
  name: z.string(),
  property: z.enum(channelProperties),
  value: z.union([z.string(), z.boolean(), z.int(), GroupSetting, z.null()]),
  rendered_description: z.string().optional(),
  history_public_to_subscribers: z.boolean().optional(),
  is_web_public: z.boolean().optional(),
};

/** Channels were created or changed, or became inaccessible. Sent to those who have access to them. */
export const stream = eventFamily(
  'stream',
  {
    create: { streams: z.array(Channel), of_archived: ofArchived },
    delete: { ...removed, of_archived: ofArchived },
    update: {
      ...updated,
      /**
       * Present if `is_archived` became false: the channel, as it is sent to clients that did not know it while it
       * was archived.
       */
      channel: Channel.optional(),
      of_archived: ofArchived,
    },
  },
  {
    sent: [
      sentEvent('stream', { op: z.literal('create'), streams: z.array(Channel) }),
      sentEvent('stream', { op: z.literal('delete'), ...removed }),
      sentEvent('stream', { op: z.literal('update'), ...updated }),
    ],
    forClient(logged, client) {
      if (logged.op !== 'update') {
        const { of_archived, ...event } = logged;
        return reachesClient(of_archived, client) ? [event] : [];
      }
      const { of_archived, channel, ...event } = logged;
      if (event.property === 'is_archived' && !client.archived_channels) {
        if (channel) return [{ type: 'stream', op: 'create', streams: [channel] }];
        const removed = { stream_ids: [event.stream_id], streams: [{ stream_id: event.stream_id }] };
        return [{ type: 'stream', op: 'delete', ...removed }];
      }
      return reachesClient(of_archived, client) ? [event] : [];
    },
  },
);
