import type { RealmGroupSetting, RealmSetting } from '@parley/protocol';

import {
  type Json,
  createGroup,
  emptyChannel,
  idsOf,
  joinByService,
  letSpectatorsIn,
  makeOlder,
  picture,
  setSubscriberCount,
  succeed,
} from '../../support/index.ts';
import { type Ask, type Forbidden, type Ground, byAlice, nobody, sends, setRealm } from './ground.ts';

type Make = (ground: Ground) => Promise<Ask> | Ask;

const seconds = 3600;

const edits = byAlice(
  'patch',
  ({ said }) => `/messages/${said}`,
  () => ({ content: 'changed' }),
);
const deletes = byAlice('delete', ({ said }) => `/messages/${said}`);
const movesTo = (topic: string) =>
  byAlice(
    'patch',
    ({ said }) => `/messages/${said}`,
    () => ({ topic, propagate_mode: 'change_all' }),
  );
const movesOut = byAlice(
  'patch',
  ({ said }) => `/messages/${said}`,
  ({ talk }) => ({ stream_id: talk, propagate_mode: 'change_all' }),
);
const invites = byAlice(
  'post',
  () => '/invites',
  () => ({ invitee_emails: 'new@example.com', stream_ids: [] }),
);
const creates = (kind: Json) =>
  byAlice(
    'post',
    () => '/channels/create',
    () => ({ name: 'made', subscribers: [], ...kind }),
  );
const renames = (full_name: string) =>
  byAlice(
    'patch',
    () => '/settings',
    () => ({ full_name }),
  );
const makesBot = (bot_type: number) =>
  byAlice(
    'post',
    () => '/bots',
    () => ({ full_name: 'Helper', short_name: 'helper', bot_type }),
  );
const writesTo = byAlice(
  'post',
  () => '/messages',
  ({ bob }) => ({ type: 'direct', to: [bob.id], content: 'hello' }),
);

/** A setting of the organization with the value that forbids. */
const setting = (
  name: RealmSetting,
  value: Json,
  action: string,
  make: Make,
  more: Pick<Forbidden, 'excludes' | 'isBesideLog'> = {},
): Forbidden => ({
  setting: name,
  action,
  ...more,
  async prepare(ground) {
    const act = await make(ground);
    return { forbid: setRealm(ground, { [name]: value }), act };
  },
});

/** The same for what is an hour old. */
const limit = (name: RealmSetting, action: string, act: (ground: Ground) => Ask) =>
  setting(name, seconds / 2, action, async (ground) => {
    await succeed(ground.owner.patch('/realm', { [name]: seconds * 2 }));
    await makeOlder(ground.owner, ground.said, seconds);
    return act(ground);
  });

/** A permission of the organization, which members have until nobody has it. */
const permission = (name: RealmGroupSetting, action: string, make: Make): Forbidden => ({
  setting: name,
  action,
  async prepare(ground) {
    await succeed(ground.owner.patch('/realm', { [name]: { new: ground.groups['role:members'] } }));
    const act = await make(ground);
    const value = name === 'can_manage_all_groups' ? { new: ground.groups['role:owners'] } : nobody(ground);
    return { forbid: setRealm(ground, { [name]: value }), act };
  },
});

const changesTalk =
  (params: (ground: Ground) => Json): Make =>
  async (ground) => {
    const administering = { can_administer_channel_group: { new: ground.groups['role:members'] } };
    await succeed(ground.owner.patch(`/streams/${ground.talk}`, administering));
    return () => ground.alice.patch(`/streams/${ground.talk}`, params(ground));
  };

export const ofSettings: Forbidden[] = [
  setting('allow_message_editing', false, 'an edit', edits),
  limit('message_content_edit_limit_seconds', 'an edit', edits),
  limit('message_content_delete_limit_seconds', 'a deletion', deletes),
  limit('move_messages_within_stream_limit_seconds', 'a move to another topic', movesTo('dinner')),
  limit('move_messages_between_streams_limit_seconds', 'a move to another channel', movesOut),
  setting('topics_policy', 'disable_empty_topic', 'a message', (ground) =>
    sends(ground.alice, ground.news, 'hello', ''),
  ),
  setting('topics_policy', 'disable_empty_topic', 'a message with a mention', (ground) =>
    sends(ground.alice, ground.news, 'hello @**bob**', ''),
  ),
  setting('topics_policy', 'disable_empty_topic', 'a move', movesTo('')),
  setting(
    'avatar_changes_disabled',
    true,
    'a new avatar',
    ({ alice }) =>
      async () =>
        (await alice.upload('/users/me/avatar', [{ name: 'me.png', type: 'image/png', content: picture }]))
          .body,
  ),
  setting('name_changes_disabled', true, 'another name', (ground) => async () => {
    await succeed(renames('Alicia')(ground)());
    // A name that may not be changed is ignored, beside what else a program saves.
    const { full_name } = await ground.alice.get('/users/me');
    return { result: full_name === 'Alicia' ? 'success' : 'error', code: 'IGNORED' };
  }),
  setting('require_unique_names', true, 'a name that is taken', (ground) => renames(ground.bob.name)(ground)),
  setting(
    'email_changes_disabled',
    true,
    'another address',
    byAlice(
      'patch',
      () => '/settings',
      () => ({ email: 'alice@elsewhere.example' }),
    ),
    { isBesideLog: true },
  ),
  setting('emails_restricted_to_domains', true, 'an invitation', async (ground) => {
    await succeed(ground.owner.post('/realm/domains', { domain: 'inside.example', allow_subdomains: false }));
    return invites(ground);
  }),
  setting('disallow_disposable_email_addresses', true, 'an invitation', async (ground) => {
    await succeed(ground.owner.patch('/realm', { disallow_disposable_email_addresses: false }));
    return () => ground.alice.post('/invites', { invitee_emails: 'x@mailinator.com', stream_ids: [] });
  }),
  setting('invite_required', true, 'an account', async (ground) => {
    await succeed(ground.owner.patch('/realm', { invite_required: false }));
    return async () => {
      const identity = { email: 'new@example.com', fullName: 'New' };
      return await joinByService(ground.realm, identity).then(
        () => ({ result: 'success' }),
        (error: { code: string }) => ({ result: 'error', code: error.code }),
      );
    };
  }),
  setting('enable_spectator_access', false, 'a channel for all the world', async (ground) => {
    await letSpectatorsIn(ground);
    return () =>
      ground.owner.post('/channels/create', { name: 'made', subscribers: [], is_web_public: true });
  }),
  setting('moderation_request_channel_id', -1, 'a report', async (ground) => {
    const { owner, bob, said } = ground;
    const id = await emptyChannel(owner, 'reports', [owner], { invite_only: true });
    await succeed(owner.patch('/realm', { moderation_request_channel_id: id }));
    return () => bob.post(`/messages/${said}/report`, { report_type: 'spam' });
  }),
  {
    setting: 'moderation_request_channel_id',
    action: 'the opening of the channel',
    excludes: true,
    async prepare({ owner }) {
      const id = await emptyChannel(owner, 'reports', [owner], { invite_only: true });
      return {
        forbid: () => owner.patch('/realm', { moderation_request_channel_id: id }),
        act: () => owner.patch(`/streams/${id}`, { is_private: false }),
      };
    },
  },
  setting('waiting_period_threshold', 100, 'a group of a new member', async (ground) => {
    const change = { new: ground.groups['role:fullmembers'] };
    await succeed(ground.owner.patch('/realm', { can_create_groups: change }));
    return () => ground.alice.post('/user_groups/create', { name: 'g', description: '', members: [] });
  }),
];

/** Settings that refuse no change: what they decide is shown, or done by the server itself. */
export const forbiddingNothing: RealmSetting[] = [
  'default_code_block_language',
  'default_language',
  'digest_emails_enabled',
  'digest_weekday',
  'enable_guest_user_dm_warning',
  'enable_guest_user_indicator',
  'enable_read_receipts',
  'giphy_rating',
  'inline_image_preview',
  'inline_url_embed_preview',
  'jitsi_server_url',
  'message_content_allowed_in_email_notifications',
  'message_edit_history_visibility_policy',
  'message_retention_days',
  'new_stream_announcements_stream_id',
  'org_type',
  'presence_disabled',
  'require_e2ee_push_notifications',
  'send_welcome_emails',
  'signup_announcements_stream_id',
  'video_chat_provider',
  'want_advertise_in_communities_directory',
  'welcome_message_custom_text',
  'zulip_update_announcements_stream_id',
];

const inNews = byAlice(
  'post',
  () => '/users/me/subscriptions',
  ({ carol }) => ({ subscriptions: [{ name: 'news' }], principals: idsOf([carol]) }),
);

export const ofPermissions: Forbidden[] = [
  {
    setting: 'can_access_all_users_group',
    action: 'a message of a guest to a stranger',
    prepare: (ground) => ({
      forbid: setRealm(ground, { can_access_all_users_group: { new: ground.groups['role:members'] } }),
      act: () => ground.guest.post('/messages', { type: 'direct', to: [ground.bob.id], content: 'hello' }),
    }),
  },
  permission('can_add_custom_emoji_group', 'an emoji', ({ alice }) => async () => {
    const file = { name: 'me.png', type: 'image/png', content: picture };
    return (await alice.upload('/realm/emoji/made', [file])).body;
  }),
  permission('can_add_subscribers_group', 'a subscription of another', inNews),
  permission('can_create_bots_group', 'a bot', makesBot(1)),
  permission(
    'can_create_groups',
    'a group',
    ({ alice }) =>
      () =>
        alice.post('/user_groups/create', { name: 'made', description: '', members: [] }),
  ),
  permission('can_create_private_channel_group', 'a private channel', creates({ invite_only: true })),
  permission('can_create_public_channel_group', 'a public channel', creates({})),
  {
    setting: 'can_create_web_public_channel_group',
    action: 'a channel for all the world',
    async prepare(ground) {
      await letSpectatorsIn(ground);
      const params = { name: 'made', subscribers: [], is_web_public: true };
      return {
        forbid: setRealm(ground, { can_create_web_public_channel_group: nobody(ground) }),
        act: () => ground.owner.post('/channels/create', params),
      };
    },
  },
  permission('can_create_write_only_bots_group', 'a bot of a webhook', async (ground) => {
    await succeed(ground.owner.patch('/realm', { can_create_bots_group: nobody(ground) }));
    return makesBot(2)(ground);
  }),
  permission(
    'can_delete_any_message_group',
    'a deletion of another’s message',
    ({ bob, said }) =>
      () =>
        bob.delete(`/messages/${said}`),
  ),
  permission(
    'can_delete_any_message_group',
    'a deletion of a topic',
    ({ bob, news }) =>
      () =>
        bob.post(`/streams/${news}/delete_topic`, { topic_name: 'lunch' }),
  ),
  permission('can_delete_own_message_group', 'a deletion', deletes),
  permission('can_invite_users_group', 'an invitation', invites),
  permission('can_manage_all_groups', 'a change of another’s group', async ({ owner, alice }) => {
    const id = await createGroup(owner, 'theirs');
    return () => alice.patch(`/user_groups/${id}`, { description: 'changed' });
  }),
  permission('can_mention_many_users_group', 'a message to everyone', async (ground) => {
    await setSubscriberCount(ground.news, 100);
    return sends(ground.alice, ground.news, '@**all** hello');
  }),
  permission('can_move_messages_between_channels_group', 'a move to another channel', movesOut),
  permission('can_move_messages_between_topics_group', 'a move to another topic', movesTo('dinner')),
  permission('can_resolve_topics_group', 'a resolved topic', async (ground) => {
    const moving = { can_move_messages_between_topics_group: nobody(ground) };
    await succeed(ground.owner.patch('/realm', moving));
    return movesTo('✔ lunch')(ground);
  }),
  permission(
    'can_set_delete_message_policy_group',
    'a policy of deletion',
    changesTalk(({ groups }) => ({ can_delete_any_message_group: { new: groups['role:members'] } })),
  ),
  permission(
    'can_set_topics_policy_group',
    'a policy of topics',
    changesTalk(() => ({ topics_policy: 'disable_empty_topic' })),
  ),
  permission(
    'create_multiuse_invite_group',
    'a link of invitation',
    byAlice('post', () => '/invites/multiuse'),
  ),
  permission('direct_message_initiator_group', 'a first direct message', writesTo),
  permission('direct_message_permission_group', 'a direct message', writesTo),
  permission('direct_message_permission_group', 'a direct message in a conversation', async (ground) => {
    await succeed(writesTo(ground)());
    return writesTo(ground);
  }),
];

/** Permissions for what this server does not do. */
export const permittingNothing: RealmGroupSetting[] = [
  'can_manage_billing_group',
  'can_summarize_topics_group',
];
