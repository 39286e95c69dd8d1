import type { Tx } from '@parley/db';
import {
  type Actor,
  channelFolders,
  bots,
  channels,
  emoji,
  linkifiers,
  messages,
  playgrounds,
  presence,
  profileFields,
  realms,
  userGroups,
  users,
  userStatus,
  userTopics,
  alertWords,
  mutedUsers,
} from '@parley/domain';

import type { Call } from '../endpoint.ts';
import { realmSection } from './realm.ts';
import type { Registration } from './register.ts';

/** What several parts are made of: read once, if any of them is asked for. */
export interface Shared {
  channels(): Promise<channels.VisibleChannel[]>;
}

export function createShared(tx: Tx, actor: Actor): Shared {
  let listed: Promise<channels.VisibleChannel[]> | null = null;
  return { channels: () => (listed ??= channels.listChannels(tx, actor)) };
}

/** A part of the state that POST /register answers with. */
export interface StateSection {
  /** The `fetch_event_types` that ask for it; all of them must be asked for. */
  types: string[];
  read(tx: Tx, call: Call<unknown, Actor>, wanted: Registration, shared: Shared): Promise<object>;
}

export const stateSections: readonly StateSection[] = [
  {
    types: ['realm'],
    read: async (tx, { realm }) =>
      realmSection(realm, await realms.getRealm(tx, realm.id), await realms.getRules(tx, realm.id)),
  },
  {
    types: ['realm_user'],
    read: (tx, { actor }, { client }) => users.usersState(tx, actor, client),
  },
  {
    types: ['realm_bot'],
    read: async (tx, { actor, apiKeyOf }) => ({ realm_bots: await bots.botsState(tx, actor, apiKeyOf) }),
  },
  // None are served here: neither embedded bots, nor webhooks of other services.
  { types: ['realm_embedded_bots'], read: async () => ({ realm_embedded_bots: [] }) },
  { types: ['realm_incoming_webhook_bots'], read: async () => ({ realm_incoming_webhook_bots: [] }) },
  {
    types: ['alert_words'],
    read: async (tx, { actor }) => ({ alert_words: await alertWords.alertWordsState(tx, actor.id) }),
  },
  {
    types: ['custom_profile_fields'],
    read: (tx, { realm }) => profileFields.profileFieldsState(tx, realm.id),
  },
  {
    types: ['muted_users'],
    read: async (tx, { actor }) => ({ muted_users: await mutedUsers.mutedUsersState(tx, actor.id) }),
  },
  {
    types: ['user_settings'],
    read: async (_, { actor }) => ({ user_settings: users.settingsState(actor) }),
  },
  ...(['update_display_settings', 'update_global_notifications'] as const).map((type): StateSection => ({
    types: [type],
    read: async (_, { actor }, { client }) =>
      client.user_settings_object ? {} : users.legacySettingsState(actor, type),
  })),
  {
    types: ['realm_user_settings_defaults'],
    read: async (tx, { realm }) => ({
      realm_user_settings_defaults: await users.defaultSettingsState(tx, realm.id),
    }),
  },
  {
    types: ['presence'],
    read: (tx, { actor, clock }, { client, presenceHistoryDays }) =>
      presence.presenceState(tx, actor, client.slim_presence || client.simplified_presence_events, {
        historyDays: presenceHistoryDays,
        nowMs: clock.nowMs(),
      }),
  },
  {
    types: ['user_status'],
    read: async (tx, { actor }) => ({ user_status: await userStatus.statusesState(tx, actor) }),
  },
  {
    types: ['realm_user_groups'],
    read: async (tx, { realm }) => ({ realm_user_groups: await userGroups.userGroupsState(tx, realm.id) }),
  },
  {
    types: ['stream'],
    read: async (_tx, _call, { client }, shared) => ({
      streams: channels.channelsState(await shared.channels(), client.archived_channels),
    }),
  },
  {
    types: ['subscription'],
    read: async (tx, { actor }, { client, includeSubscribers }, shared) =>
      channels.subscriptionsState(tx, actor, await shared.channels(), {
        include: includeSubscribers,
        withArchived: client.archived_channels,
        withNullSettings: client.notification_settings_null,
      }),
  },
  {
    types: ['default_streams'],
    read: async (tx, { actor }) => ({
      realm_default_streams: await channels.defaultsState(tx, actor),
    }),
  },
  {
    types: ['default_stream_groups'],
    read: async (tx, { actor }) => ({
      realm_default_stream_groups: await channels.defaultGroupsState(tx, actor),
    }),
  },
  {
    types: ['channel_folders'],
    read: async (tx, { realm }) => ({
      channel_folders: await channelFolders.foldersState(tx, realm.id),
    }),
  },
  {
    types: ['message'],
    read: async (tx, { actor }) => ({ max_message_id: await messages.maxMessageId(tx, actor.id) }),
  },
  {
    types: ['message', 'update_message_flags'],
    read: async (tx, { actor }, { client }) => ({
      unread_msgs: await messages.unreadState(tx, actor, client.empty_topic_name),
    }),
  },
  {
    types: ['starred_messages'],
    read: async (tx, { actor }) => ({ starred_messages: await messages.starredState(tx, actor) }),
  },
  {
    types: ['recent_private_conversations'],
    read: async (tx, { actor }) => ({
      recent_private_conversations: await messages.recentConversationsState(tx, actor),
    }),
  },
  {
    types: ['user_topic'],
    read: async (tx, { actor }, { client }) => ({
      user_topics: await userTopics.userTopicsState(tx, actor, client.empty_topic_name),
    }),
  },
  {
    types: ['muted_topics'],
    // A client that names the successor does not need both.
    read: async (tx, { actor }, { fetchTypes }) =>
      fetchTypes?.includes('user_topic')
        ? {}
        : { muted_topics: await userTopics.mutedTopicsState(tx, actor) },
  },
  {
    types: ['realm_emoji'],
    read: async (tx, { realm }) => ({ realm_emoji: await emoji.emojiState(tx, realm.id) }),
  },
  {
    types: ['realm_linkifiers'],
    // Since 176: a client that cannot read url_template is shown none.
    read: async (tx, { realm }, { client }) => ({
      realm_linkifiers: client.linkifier_url_template ? await linkifiers.linkifiersState(tx, realm.id) : [],
    }),
  },
  // What linkifiers were, for clients that still look for it.
  { types: ['realm_filters'], read: async () => ({ realm_filters: [] }) },
  {
    types: ['realm_playgrounds'],
    read: async (tx, { realm }) => ({
      realm_playgrounds: await playgrounds.playgroundsState(tx, realm.id),
    }),
  },
];
