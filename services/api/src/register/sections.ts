import type { Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { Draft, MutedTopic, ScheduledMessage, TopicName, topicNamer } from '@parley/protocol';
import { z } from 'zod';

import type { RequestContext } from '../endpoint/context.ts';
import type { SharedState } from '../endpoint/registrations.ts';
import { SharedJson, compressedText } from '../http/json-text.ts';
import { integrations } from '../integrations/index.ts';
import type { Integration } from '../integrations/integration.ts';
import { realmSection } from './realm.ts';
import type { Registration } from './registration.ts';
import { readUserLists } from './user-lists.ts';

/** Rows that several sections use. They are read at most once, when the first section needs them. */
export interface Shared {
  channels(): Promise<model.channels.ChannelRecord[]>;
  /** What is the same for other callers, too. */
  state: SharedState;
}

export function createShared(tx: Tx, actor: Actor, state: SharedState): Shared {
  let channels: Promise<model.channels.ChannelRecord[]> | null = null;
  return { state, channels: () => (channels ??= model.channels.listChannelRecords(tx, actor)) };
}

/** A section of the state that POST /register answers with. */
export interface StateSection {
  /** The `fetch_event_types` that a client must name, all of them, to get this section. */
  types: string[];
  /** Whether all who may change what it says may read all of it: it is compressed as a whole. */
  isOpen?: true;
  read(
    tx: Tx,
    context: RequestContext<unknown, Actor>,
    registration: Registration,
    shared: Shared,
  ): Promise<object>;
}

/** The parts of the state that name topics of channels. */
const partsWithTopics = z.object({
  drafts: z.array(Draft),
  scheduled_messages: z.array(ScheduledMessage),
  unread_msgs: z.object({ streams: z.array(z.object({ topic: TopicName })) }),
  user_topics: z.array(z.object({ topic_name: TopicName })),
  muted_topics: z.array(MutedTopic),
});

/** Returns the state with its empty topics named, for clients that cannot show them. */
export const nameTopics = topicNamer(partsWithTopics) ?? (<State>(state: State) => state);

/** An integration as clients that create bots for it list it. It needs no configuration. */
const textOption = (key: string, label: string) => ({ key, label, validator: 'check_string' });

const presentIntegration = ({ name, displayName, events, signature, options }: Integration) => ({
  name,
  display_name: displayName,
  // Of a product that sends one kind alone, there is nothing to choose.
  all_event_types: Object.keys(events).length > 1 ? Object.keys(events) : null,
  config_options: signature ? [textOption('secret', `Secret (${signature.scheme})`)] : [],
  url_options: Object.entries(options ?? {}).map(([key, label]) => textOption(key, label)),
});

const textOf = (value: object) => compressedText(Buffer.from(JSON.stringify(value)));

export const stateSections: readonly StateSection[] = [
  {
    types: ['realm'],
    isOpen: true,
    read: async (tx, { realm, files, auth, push, canMail }) => {
      const options = {
        quotas: files.quotas,
        available: auth.signIn.available,
        canPush: push.services.size > 0,
        canMail,
      };
      return realmSection(
        realm,
        await model.realms.getRealm(tx, realm.id),
        await model.permissions.getRules(tx, realm.id),
        options,
      );
    },
  },
  {
    types: ['realm_user'],
    read: async (tx, { actor }, { client }, { state }) => ({
      ...(await readUserLists(tx, actor, client, state)),
      ...(await model.users.ownUserState(tx, actor)),
    }),
  },
  {
    types: ['realm_bot'],
    read: async (tx, { actor, auth }) => ({
      realm_bots: await model.bots.botsState(tx, actor, auth.apiKeyOf),
    }),
  },
  // The server has no embedded bots, no organization pays, and no device is notified with end-to-end encryption.
  ...Object.entries({
    realm_embedded_bots: { realm_embedded_bots: [] },
    realm_incoming_webhook_bots: {
      realm_incoming_webhook_bots: new SharedJson(integrations.map(presentIntegration)),
    },
    realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
    giphy: { giphy_api_key: '' },
    push_device: { push_devices: {} },
    video_calls: { has_zoom_token: false },
    stop_words: { stop_words: new SharedJson(model.messages.stopWords) },
  }).map(([type, state]): StateSection => ({ types: [type], read: async () => state })),
  {
    types: ['alert_words'],
    read: async (tx, { actor }) => ({ alert_words: await model.alertWords.alertWordsState(tx, actor) }),
  },
  {
    types: ['drafts'],
    read: async (tx, { actor }) => ({ drafts: await model.drafts.draftsState(tx, actor) }),
  },
  {
    types: ['saved_snippets'],
    read: async (tx, { actor }) => ({
      saved_snippets: await model.savedSnippets.savedSnippetsState(tx, actor),
    }),
  },
  {
    types: ['scheduled_messages'],
    read: async (tx, { actor }) => ({
      scheduled_messages: await model.scheduledMessages.scheduledMessagesState(tx, actor),
    }),
  },
  {
    types: ['reminders'],
    read: async (tx, { actor }) => ({ reminders: await model.reminders.remindersState(tx, actor) }),
  },
  {
    types: ['navigation_views'],
    read: async (tx, { actor }) => ({
      navigation_views: await model.navigationViews.navigationViewsState(tx, actor),
    }),
  },
  {
    types: ['onboarding_steps'],
    // The server offers no video of a tour.
    read: async (tx, { actor }) => ({
      onboarding_steps: await model.onboardingSteps.onboardingStepsState(tx, actor),
      navigation_tour_video_url: null,
    }),
  },
  {
    types: ['custom_profile_fields'],
    isOpen: true,
    read: (tx, { realm }) => model.profileFields.profileFieldsState(tx, realm.id),
  },
  {
    types: ['muted_users'],
    read: async (tx, { actor }) => ({ muted_users: await model.mutedUsers.mutedUsersState(tx, actor) }),
  },
  {
    types: ['user_settings'],
    read: async (_, { actor }) => ({ user_settings: textOf(model.users.settingsState(actor)) }),
  },
  ...(['update_display_settings', 'update_global_notifications'] as const).map((type): StateSection => ({
    types: [type],
    read: async (_, { actor }, { client }) =>
      client.user_settings_object ? {} : model.users.legacySettingsState(actor, type),
  })),
  {
    types: ['realm_user_settings_defaults'],
    read: async (tx, { realm }) => ({
      realm_user_settings_defaults: textOf(await model.users.defaultSettingsState(tx, realm.id)),
    }),
  },
  {
    types: ['presence'],
    read: (tx, { actor, clock, presences }, { client, presenceHistoryDays }) =>
      presences.state(
        actor,
        client.slim_presence || client.simplified_presence_events,
        { historyDays: presenceHistoryDays, nowMs: clock.nowMs() },
        tx,
      ),
  },
  {
    types: ['user_status'],
    read: async (tx, { actor }) => ({ user_status: await model.userStatus.userStatusState(tx, actor) }),
  },
  {
    types: ['realm_user_groups'],
    read: async (tx, { realm }, { client }, { state }) => {
      const withDeactivated = client.include_deactivated_groups;
      return {
        realm_user_groups: await state.shareGroups(String(withDeactivated), () =>
          model.userGroups.userGroupsState(tx, realm.id, { withDeactivated }),
        ),
      };
    },
  },
  {
    types: ['stream'],
    read: async (_tx, _context, { client }, shared) => ({
      streams: model.channels.channelsState(await shared.channels(), client.archived_channels),
    }),
  },
  {
    types: ['subscription'],
    read: async (tx, { actor }, { client, includeSubscribers }, shared) =>
      model.channels.subscriptionsState(tx, actor, await shared.channels(), {
        include: includeSubscribers,
        withArchived: client.archived_channels,
        withNullSettings: client.notification_settings_null,
      }),
  },
  {
    types: ['default_streams'],
    read: async (tx, { actor }) => ({
      realm_default_streams: await model.defaultChannels.defaultChannelsState(tx, actor),
    }),
  },
  {
    types: ['default_stream_groups'],
    read: async (tx, { actor }) => ({
      realm_default_stream_groups: await model.defaultChannels.defaultChannelGroupsState(tx, actor),
    }),
  },
  {
    types: ['channel_folders'],
    isOpen: true,
    read: async (tx, { realm }) => ({
      channel_folders: await model.channelFolders.channelFoldersState(tx, realm.id),
    }),
  },
  {
    types: ['message'],
    read: async (tx, { actor }) => ({ max_message_id: await model.messages.getMaxMessageId(tx, actor) }),
  },
  {
    types: ['message', 'update_message_flags'],
    read: async (tx, { actor }, { client }) => ({
      unread_msgs: await model.messages.unreadMessagesState(tx, actor, client.archived_channels),
    }),
  },
  {
    types: ['starred_messages'],
    read: async (tx, { actor }) => ({
      starred_messages: await model.messages.starredMessagesState(tx, actor),
    }),
  },
  {
    types: ['recent_private_conversations'],
    read: async (tx, { actor }) => ({
      recent_private_conversations: await model.messages.recentConversationsState(tx, actor),
    }),
  },
  {
    types: ['user_topic'],
    read: async (tx, { actor }, { client }) => ({
      user_topics: await model.userTopics.userTopicsState(tx, actor, client.archived_channels),
    }),
  },
  {
    types: ['muted_topics'],
    // A client that names the successor, user_topic, does not need both.
    read: async (tx, { actor }, { client, fetchTypes }) =>
      fetchTypes?.includes('user_topic')
        ? {}
        : { muted_topics: await model.userTopics.mutedTopicsState(tx, actor, client.archived_channels) },
  },
  {
    types: ['realm_emoji'],
    // Whoever adds one sees all of them.
    read: async (tx, { realm }) => ({ realm_emoji: textOf(await model.emoji.emojiState(tx, realm.id)) }),
  },
  {
    types: ['realm_linkifiers'],
    isOpen: true,
    // Since 176: a client that cannot read url_template is shown none.
    read: async (tx, { realm }, { client }) => ({
      realm_linkifiers: client.linkifier_url_template
        ? await model.linkifiers.linkifiersState(tx, realm.id)
        : [],
    }),
  },
  {
    types: ['realm_domains'],
    isOpen: true,
    read: async (tx, { realm }) => ({
      realm_domains: await model.realmDomains.realmDomainsState(tx, realm.id),
    }),
  },
  // The field from before linkifiers. Older clients still expect it to be present.
  { types: ['realm_filters'], read: async () => ({ realm_filters: [] }) },
  {
    types: ['realm_playgrounds'],
    isOpen: true,
    read: async (tx, { realm }) => ({
      realm_playgrounds: await model.playgrounds.playgroundsState(tx, realm.id),
    }),
  },
];

/** Every name that `fetch_event_types` may hold to ask for a part of the state. */
export const sectionTypes: readonly string[] = [...new Set(stateSections.flatMap(({ types }) => types))];
