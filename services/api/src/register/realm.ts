import type { attachments } from '@parley/actions';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import {
  type AuthenticationMethod,
  type GroupPermission,
  type RealmGroupSetting,
  channelGroupSettings,
  derivedFields,
  emptyTopicDisplayName,
  externalAccounts,
  giphyRatings,
  limits,
  presenceTimes,
  queueTimes,
  realmGroupSettings,
  realmSettingRows,
  thumbnailFormats,
  userGroupSettings,
  videoChatProviders,
} from '@parley/protocol';

import { SharedJson } from '../http/json-text.ts';
import { emojiDataPath } from '../static/emoji-data.ts';

type RealmRow = Awaited<ReturnType<typeof model.realms.getRealm>>;

/** Fields that are the same for every organization, because no endpoint changes them. */
const fixed = {
  empty_topic_display_name: emptyTopicDisplayName,
  is_zephyr_mirror_realm: false,
  plan_type: 1,
  push_notifications_enabled_end_timestamp: null,
} as const;

/** Deprecated fields. Their values follow from the settings and permissions that have replaced them. */
function deprecated(rules: model.permissions.Rules) {
  const { settings } = rules;
  const derived = realmSettingRows.map(([name, row]) => derivedFields(row, settings[name]));
  return {
    ...Object.assign({}, ...derived),
    create_private_stream_policy: policyOf(rules, 'can_create_private_channel_group', creationPolicies),
    create_public_stream_policy: policyOf(rules, 'can_create_public_channel_group', creationPolicies),
    create_web_public_stream_policy: policyOf(rules, 'can_create_web_public_channel_group', worldPolicies),
    wildcard_mention_policy: policyOf(rules, 'can_mention_many_users_group', wildcardPolicies),
  };
}

/** The numbers by which deprecated fields name groups. The first one also stands for every group without a number. */
const creationPolicies = {
  'role:members': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
};
const worldPolicies = {
  'role:owners': 7,
  'role:administrators': 2,
  'role:moderators': 4,
  'role:nobody': 6,
};
const wildcardPolicies = {
  'role:administrators': 5,
  'role:everyone': 1,
  'role:members': 2,
  'role:fullmembers': 3,
  'role:nobody': 6,
  'role:moderators': 7,
};

function policyOf(
  rules: model.permissions.Rules,
  permission: RealmGroupSetting,
  numbers: Record<string, number>,
): number {
  const setting = rules.groupSetting(permission);
  const group = Object.keys(numbers).find((name) => rules.groupId(name) === setting);
  return (group === undefined ? undefined : numbers[group]) ?? Object.values(numbers)[0] ?? 1;
}

/** Fields about the server, which are the same for every organization. */
const server = {
  development_environment: false,
  event_queue_longpoll_timeout_seconds: queueTimes.longpollTimeoutSeconds,
  max_avatar_file_size_mib: limits.pictureMebibytes,
  max_file_upload_size_mib: limits.uploadMebibytes,
  max_icon_file_size_mib: limits.pictureMebibytes,
  max_logo_file_size_mib: limits.pictureMebibytes,
  max_bulk_new_subscription_messages: limits.newSubscriptionMessages,
  max_channel_folder_description_length: limits.channelFolderDescriptionLength,
  max_channel_folder_name_length: limits.channelFolderNameLength,
  max_reminder_note_length: limits.reminderNoteLength,
  max_message_length: limits.messageLength,
  max_stream_description_length: limits.channelDescriptionLength,
  max_stream_name_length: limits.channelNameLength,
  max_topic_length: limits.topicLength,
  password_max_length: limits.passwordLengthMax,
  password_min_guesses: limits.passwordGuessesMin,
  password_min_length: limits.passwordLengthMin,
  giphy_rating_options: giphyRatings,
  realm_available_video_chat_providers: videoChatProviders,
  realm_default_external_accounts: externalAccounts,
  server_avatar_changes_disabled: false,
  server_can_summarize_topics: false,
  // The second in which this process started.
  server_generation: Math.floor(performance.timeOrigin / 1000),
  server_inline_image_preview: true,
  server_inline_url_embed_preview: true,
  server_jitsi_server_url: null,
  server_max_deactivated_realm_deletion_days: null,
  server_min_deactivated_realm_deletion_days: 14,
  server_name_changes_disabled: false,
  server_needs_upgrade: false,
  server_presence_offline_threshold_seconds: presenceTimes.offlineThreshold,
  server_presence_ping_interval_seconds: presenceTimes.pingInterval,
  server_thumbnail_formats: thumbnailFormats,
  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_started_wait_period_milliseconds: 30_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  server_web_public_streams_enabled: true,
  upgrade_text_for_wide_organization_logo: '',
  svc_plan_is_not_limited: true,
  zulip_plan_is_not_limited: true,
} as const;

/** The values that each permission allows. Clients build the controls for permissions from this. */
const supportedPermissions = new SharedJson({
  realm: mapPermissions(realmGroupSettings, 'role:nobody'),
  stream: mapPermissions(channelGroupSettings, 'stream_creator_or_nobody'),
  group: mapPermissions(userGroupSettings, 'group_creator'),
});

function mapPermissions(permissionsOf: Record<string, GroupPermission>, creator: string) {
  return Object.fromEntries(
    Object.entries(permissionsOf).map(
      ([name, { default: group, allowsNobody, allowsEveryone, systemGroups }]) => [
        name,
        {
          require_system_group: systemGroups !== undefined,
          allow_internet_group: false,
          allow_nobody_group: allowsNobody,
          allow_everyone_group: allowsEveryone,
          default_group_name: group === 'creator' ? creator : group,
          default_for_system_groups: creator === 'group_creator' ? 'role:nobody' : null,
          allowed_system_groups: systemGroups ?? [],
        },
      ],
    ),
  );
}

const prefixed = (fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`realm_${name}`, value]));

const permissions = Object.keys(realmGroupSettings) as (keyof typeof realmGroupSettings)[];

interface RealmSectionOptions {
  quotas: attachments.UploadQuotas;
  /** The ways to sign in that the server is set up for. */
  available: ReadonlySet<AuthenticationMethod>;
  /** Whether the server notifies phones. */
  canPush: boolean;
  /** Whether it sends mail. */
  canMail: boolean;
}

/** Returns the `realm` section of the state that POST /register answers with. */
export function realmSection(
  realm: Realm,
  row: RealmRow,
  rules: model.permissions.Rules,
  { quotas, available, canPush, canMail }: RealmSectionOptions,
) {
  const methods = model.signIn.enabledMethods(row, available);
  return {
    ...server,
    settings_send_digest_emails: canMail,
    ...prefixed(fixed),
    ...prefixed(rules.settings),
    ...prefixed(deprecated(rules)),
    ...prefixed(Object.fromEntries(permissions.map((name) => [name, rules.groupSetting(name)]))),
    server_supported_permission_settings: supportedPermissions,
    server_emoji_data_url: `${realm.url}${emojiDataPath}`,
    jitsi_server_url: rules.settings.jitsi_server_url,
    ...Object.assign(
      {},
      ...model.realms.realmPictureKinds.map((kind) => prefixed(model.realms.presentRealmPicture(row, kind))),
    ),
    ...prefixed({
      name: row.displayName,
      push_notifications_enabled: canPush,
      description: row.description,
      url: realm.url,
      uri: realm.url,
      bot_domain: realm.emailDomain,
      date_created: Math.floor(row.createdAt.getTime() / 1000),
      upload_quota_mib: row.uploadQuotaMib ?? quotas.realmMib,
      authentication_methods: model.signIn.presentMethods(row, available),
      email_auth_enabled: methods.has('Email'),
      password_auth_enabled: methods.has('Email') || methods.has('LDAP'),
    }),
  };
}
