import { type ExportedTable, ids, inRealm, ofConsenting, withoutRealm } from './table.ts';

const realm = { realm_id: ids('realms') };
const user = { user_id: ids('users') };

/** A table of what somebody keeps for themselves. */
const personal = (
  table: Pick<ExportedTable, 'name' | 'refs' | 'order' | 'draws' | 'loose'>,
): ExportedTable => ({
  rows: inRealm,
  ...withoutRealm,
  shared: ofConsenting(),
  ...table,
  refs: { ...user, ...table.refs },
});

/** The organization and its accounts: what others refer to, so first. */
export const foundations: readonly ExportedTable[] = [
  {
    name: 'realms',
    draws: 'realms',
    rows: (realmId) => `t.id = ${realmId}`,
    // The operator of a deployment says how much it may store.
    reset: { upload_quota_mib: null },
    refs: {
      members_conversation_id: ids('conversations'),
      upload_quota_mib: 'plain',
      icon_path: 'path',
      icon_version: 'plain',
      logo_path: 'path',
      logo_version: 'plain',
      night_logo_path: 'path',
      night_logo_version: 'plain',
      description: 'text',
      settings: 'realm settings',
      group_settings: 'permissions',
      authentication_methods: 'plain',
      user_defaults: 'plain',
    },
    order: 'id',
  },
  {
    name: 'users',
    draws: 'users',
    rows: inRealm,
    owner: 'coalesce(t.bot_owner_id, t.id)',
    // Nobody sees an address whose visibility is 4, so it is not exported without consent.
    blanked: {
      email: `case when t.email_visibility = 4 then 'user' || t.id || '@hidden.invalid' else t.email end`,
      settings: `'{}'::jsonb`,
      last_active_on: 'null::date',
      default_sending_channel_id: 'null::int',
      default_events_channel_id: 'null::int',
    },
    secrets: { password_hash: 'null::text' },
    omitted: [
      'key_digest',
      'key_digest_generation',
      'key_digests',
      'key_digests_generation',
      'key_digests_secrets',
    ],
    // Rights that only an operator gives.
    reset: { can_create_users: false, can_change_user_emails: false, can_forge_sender: false },
    refs: {
      ...realm,
      group_ids: ids('user_groups'),
      bot_owner_id: ids('users'),
      key_generation: 'plain',
      avatar_version: 'plain',
      avatar_path: 'path',
      settings: 'plain',
      default_sending_channel_id: ids('channels'),
      default_events_channel_id: ids('channels'),
    },
    loose: { default_sending_channel_id: 'null', default_events_channel_id: 'null' },
    // The owners of bots before the bots.
    order: 'bot_owner_id is not null, id',
  },
  {
    name: 'user_groups',
    draws: 'user_groups',
    rows: inRealm,
    refs: { ...realm, creator_id: ids('users'), group_settings: 'permissions' },
    order: 'id',
  },
  {
    name: 'user_group_subgroups',
    rows: inRealm,
    refs: { ...realm, group_id: ids('user_groups'), subgroup_id: ids('user_groups') },
    order: 'group_id, subgroup_id',
  },
  {
    name: 'custom_profile_fields',
    draws: 'custom_profile_fields',
    rows: inRealm,
    refs: { ...realm, position: 'plain' },
    order: 'id',
  },
  {
    name: 'custom_profile_values',
    rows: inRealm,
    ...withoutRealm,
    refs: { ...user, field_id: ids('custom_profile_fields'), value: 'profile value' },
    order: 'user_id, field_id',
  },
  {
    name: 'realm_emoji',
    draws: 'realm_emoji',
    rows: inRealm,
    refs: { ...realm, author_id: ids('users') },
    order: 'id',
  },
  { name: 'realm_domains', draws: 'realm_domains', rows: inRealm, refs: realm, order: 'id' },
  {
    name: 'linkifiers',
    draws: 'linkifiers',
    rows: inRealm,
    refs: { ...realm, position: 'plain' },
    order: 'position, id',
  },
  { name: 'playgrounds', draws: 'playgrounds', rows: inRealm, refs: realm, order: 'id' },
  {
    name: 'bot_services',
    rows: inRealm,
    ...withoutRealm,
    // A row is of no use without its token, which is secret.
    shared: 'never',
    // How the service has been doing is the deployment's to find out.
    reset: { failures: 0, paused_until: null },
    refs: { bot_id: ids('users'), failures: 'plain' },
    order: 'bot_id',
  },
  {
    name: 'user_statuses',
    rows: inRealm,
    ...withoutRealm,
    refs: { ...user, emoji_code: 'emoji code' },
    order: 'user_id',
  },
  {
    name: 'presences',
    draws: 'presence_updates',
    drawnIn: 'update_id',
    rows: inRealm,
    shared: ofConsenting(),
    refs: { ...user, ...realm },
    order: 'user_id',
  },
];

/** What belongs to people, and refers to channels and topics. */
export const belongings: readonly ExportedTable[] = [
  {
    name: 'alert_words',
    rows: inRealm,
    shared: ofConsenting(),
    refs: { ...realm, ...user },
    order: 'user_id, word',
  },
  personal({ name: 'muted_users', refs: { muted_user_id: ids('users') }, order: 'user_id, muted_user_id' }),
  personal({
    name: 'user_topics',
    refs: { topic_id: ids('topics') },
    loose: { topic_id: 'row' },
    order: 'user_id, topic_id',
  }),
  personal({
    name: 'bot_storage',
    refs: { characters: 'plain', bytes: 'plain' },
    order: 'user_id, key',
  }),
  personal({
    name: 'drafts',
    draws: 'drafts',
    refs: { recipients: 'draft recipients', content: 'text' },
    loose: { recipients: 'omit' },
    order: 'id',
  }),
  personal({ name: 'saved_snippets', draws: 'saved_snippets', refs: { content: 'text' }, order: 'id' }),
  personal({ name: 'navigation_views', draws: 'navigation_views', refs: { fragment: 'text' }, order: 'id' }),
  personal({ name: 'onboarding_steps_seen', refs: {}, order: 'user_id, name' }),
  {
    name: 'invitations',
    draws: 'invitations',
    rows: inRealm,
    shared: ({ isPublic }) => String(!isPublic),
    refs: {
      ...realm,
      inviter_id: ids('users'),
      link_id: ids('invitations'),
      channel_ids: ids('channels'),
      group_ids: ids('user_groups'),
    },
    loose: { channel_ids: 'omit' },
    order: 'link_id is not null, id',
  },
];
