import * as model from '@parley/model';
import { channelGroupSettings } from '@parley/protocol';

import type { ForeignChannel } from './foreign.ts';
import { realmId } from './people.ts';
import { description, timeText } from './texts.ts';

/** The conversation of all members. */
export const membersConversationId = 1;

export const realmRow = ({
  name,
  displayName,
  createdAt,
}: {
  name: string;
  displayName: string;
  createdAt: number;
}) => ({
  id: realmId,
  name,
  display_name: displayName,
  description: '',
  rendered_description: '',
  created_at: timeText(createdAt),
  is_active: true,
  members_conversation_id: membersConversationId,
  upload_quota_mib: null,
  icon_path: null,
  icon_version: 1,
  logo_path: null,
  logo_version: 1,
  night_logo_path: null,
  night_logo_version: 1,
  settings: {},
  group_settings: {},
  authentication_methods: {},
  user_defaults: {},
});

export const groupRows = () =>
  model.permissions.systemGroups.map(({ name, description: about }, index) => ({
    id: index + 1,
    realm_id: realmId,
    name,
    description: about,
    is_system: true,
    is_deactivated: false,
    creator_id: null,
    created_at: null,
    group_settings: null,
  }));

const groupIds = new Map<string, number>(
  model.permissions.systemGroups.map(({ name }, index) => [name, index + 1]),
);

/** Returns the permissions of a channel as if its creator had made it here. */
const permissionsOf = (creatorId: number | null) =>
  Object.fromEntries(
    Object.entries(channelGroupSettings).map(([name, { default: holder }]) => {
      if (holder !== 'creator') return [name, groupIds.get(holder) ?? 0];
      const people = { direct_members: creatorId === null ? [] : [creatorId], direct_subgroups: [] };
      return [name, creatorId === null ? groupIds.get('role:nobody') : people];
    }),
  );

/** A channel with the numbers and the name that it gets here. */
export interface Place {
  id: number;
  conversationId: number;
  name: string;
  creatorId: number | null;
}

export const channelRow = (
  channel: ForeignChannel,
  { id, conversationId, name, creatorId }: Place,
  createdAt: number,
) => ({
  id,
  realm_id: realmId,
  conversation_id: conversationId,
  name,
  description: description(channel.description),
  rendered_description: '',
  creator_id: creatorId,
  created_at: timeText(channel.createdAt ?? createdAt),
  is_private: channel.isPrivate,
  is_web_public: false,
  shares_history: true,
  is_archived: channel.isArchived,
  group_settings: permissionsOf(creatorId),
  topics_policy: 'inherit',
  message_retention_days: null,
  folder_id: null,
  is_default: channel.isDefault === true && !channel.isPrivate && !channel.isArchived,
  is_recently_active: true,
  weekly_traffic: null,
});

const palette = ['#76ce90', '#fae589', '#a6c7e5', '#e79ab5', '#bfd56f', '#f4ae55', '#b0a5fd', '#addfe5'];

/** Returns the row of a member of a conversation who has read all of it. */
export const memberRow = (
  { conversationId, channelId }: { conversationId: number; channelId: number | null },
  userId: number,
  ordinal: number,
) => ({
  conversation_id: conversationId,
  user_id: userId,
  is_subscribed: true,
  received: '{[1,)}',
  read: ordinal === 0 ? '{}' : `{[1,${ordinal + 1})}`,
  color: channelId === null ? '#c2c2c2' : (palette[channelId % palette.length] ?? '#c2c2c2'),
  pin_to_top: false,
  is_muted: false,
  was_subscribed: true,
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
});
