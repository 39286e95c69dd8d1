import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { writeLazyTar } from '../../import-archives/tar.ts';
import type { LazyFile } from '../../import-archives/zip.ts';
import { smallZulipExport, zulipFolders } from '../../import-archives/zulip-small-files.ts';
import { ids } from '../../import-archives/zulip-small-ids.ts';
import { type Elsewhere, parleyJson, startElsewhere, withProcesses } from '../../support/index.ts';
import { badHtml } from '../hostile-archives/deployment.ts';

const folder = await mkdtemp(join(tmpdir(), 'parley-zulip-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function archiveOf(name: string, files: readonly LazyFile[]): Promise<string> {
  const file = join(folder, `${name}.tar.gz`);
  await writeLazyTar(file, files, zulipFolders);
  return file;
}

const kept = {
  people: { kept: 6, changed: 4 },
  bots: { kept: 3 },
  channels: { kept: 3 },
  conversations: { kept: 3 },
  messages: { read: 11, kept: 10, changed: 1, leftOut: 1 },
  reactions: { read: 5, kept: 3, leftOut: 2 },
  files: { read: 3, kept: 2, leftOut: 1 },
  emoji: { read: 2, kept: 1, leftOut: 1 },
  stars: { kept: 2 },
  groups: { kept: 2 },
  edits: { kept: 2 },
  settings: { leftOut: 2 },
  others: { leftOut: 8 },
};

async function expectMessages({ sql }: Elsewhere): Promise<void> {
  const messages = await sql`
    select m.id::int, coalesce(c.name || ' > ' || o.name, array_to_string(v.people, '+')) as place, m.sender_id as sender,
      m.content, m.client, m.mentions_channel as everybody, m.has_attachment as attached
    from messages m join conversations v on v.id = m.conversation_id
    left join channels c on c.id = m.channel_id left join topics o on o.id = m.topic_id order by m.id`;
  const { olivia, adam, bob, dora, notification, gateway } = ids;
  const plain = { client: 'website', everybody: false, attached: false };
  expect(messages).toEqual([
    {
      ...plain,
      id: 501,
      place: 'general > Lunch',
      sender: olivia,
      content: 'Who comes, @**Adam Example** and @*writers*?',
    },
    {
      ...plain,
      id: 502,
      place: 'general > Lunch',
      sender: adam,
      content:
        'see [plan.txt](/user_uploads/7/ab-Folder_1/plan.txt) and [gone](/user_uploads/7/cd/Folder_2/gone.txt)',
      attached: true,
    },
    { ...plain, id: 503, place: 'general > ', sender: adam, content: '@**all** general', everybody: true },
    {
      ...plain,
      id: 504,
      place: 'secret > plans',
      sender: olivia,
      content: 'a secret',
      client: 'ZulipMobile',
    },
    { ...plain, id: 505, place: `${adam}+${bob}`, sender: adam, content: 'just us' },
    { ...plain, id: 506, place: `${olivia}+${adam}+${bob}`, sender: bob, content: 'three of us' },
    { ...plain, id: 507, place: `${notification}+${olivia}`, sender: notification, content: 'Welcome' },
    { ...plain, id: 508, place: 'general > mail', sender: gateway, content: 'from outside' },
    { ...plain, id: 509, place: 'general > mail', sender: 999, content: 'from nobody' },
    { ...plain, id: 510, place: 'attic > old', sender: dora, content: '(deleted)' },
  ]);
}

async function expectReadState({ sql }: Elsewhere): Promise<void> {
  const members = await sql`
    select coalesce(c.name, array_to_string(v.people, '+')) as place, m.user_id as who, m.is_subscribed as subscribed,
      m.received::text, m.read::text
    from conversation_members m join conversations v on v.id = m.conversation_id
    left join channels c on c.conversation_id = v.id order by 1, 2`;
  expect(members.map((row) => Object.values(row))).toEqual([
    [`${ids.olivia}+${ids.adam}+${ids.bob}`, ids.olivia, true, '{[1,)}', '{}'],
    [`${ids.olivia}+${ids.adam}+${ids.bob}`, ids.adam, true, '{[1,)}', '{[1,2)}'],
    [`${ids.olivia}+${ids.adam}+${ids.bob}`, ids.bob, true, '{[1,)}', '{[1,2)}'],
    [`${ids.adam}+${ids.bob}`, ids.adam, true, '{[1,)}', '{[1,2)}'],
    [`${ids.adam}+${ids.bob}`, ids.bob, true, '{[1,)}', '{}'],
    [`${ids.notification}+${ids.olivia}`, ids.notification, true, '{[1,)}', '{[1,2)}'],
    [`${ids.notification}+${ids.olivia}`, ids.olivia, true, '{[1,)}', '{[1,2)}'],
    ['general', ids.olivia, true, '{[1,5),[6,)}', '{[1,2)}'],
    ['general', ids.adam, true, '{[1,5),[6,)}', '{[2,4)}'],
    ['general', ids.bob, false, '{[1,2)}', '{[1,2)}'],
    ['general', ids.dora, true, '{[1,)}', '{[1,6)}'],
    ['secret', ids.olivia, true, '{[1,)}', '{[1,2)}'],
    // Nothing is known of what this one has read, and the channel shows nobody what was sent before.
    ['secret', ids.gus, true, '{[2,)}', '{}'],
  ]);
}

async function expectHistory({ sql }: Elsewhere): Promise<void> {
  expect(
    await sql`select message_id::int as id, user_id as who, prev_content as before, extract(epoch from edited_at)::int as at
      from message_edits`,
  ).toEqual([{ id: 502, who: ids.adam, before: 'first text', at: 1_700_000_800 }]);
  expect(
    await sql`select message_ids::text as ids, user_id as who, prev_channel_id as from, channel_id as to,
      prev_topic as before, topic as after, is_resolving as resolving from message_moves`,
  ).toEqual([
    {
      ids: '{[502,503)}',
      who: ids.olivia,
      from: 22,
      to: 21,
      before: 'Dinner',
      after: 'lunch',
      resolving: false,
    },
  ]);
  const flags = await sql`
    select message_id::int as id, user_id as who, concat_ws(' ', case when starred then 'starred' end,
      case when collapsed then 'collapsed' end, case when mentioned then 'mentioned' end,
      case when topic_wildcard_mentioned then 'topic' end, case when has_alert_word then 'word' end) as flags
    from message_flags order by 1, 2`;
  expect(flags.map((row) => Object.values(row))).toEqual([
    [501, ids.adam, 'mentioned'],
    [501, ids.bob, 'starred'],
    [502, ids.adam, 'word'],
    [502, ids.bob, 'starred'],
    [507, ids.olivia, 'collapsed'],
    [508, ids.adam, 'topic'],
  ]);
  const reactions = await sql`
    select message_id::int as id, user_id as who, emoji_name as emoji, emoji_code as code, reaction_type as type
    from reactions order by id, emoji_name`;
  expect(reactions.map((row) => Object.values(row))).toEqual([
    [501, ids.bob, '+1', '1f44d', 'unicode_emoji'],
    [501, ids.bob, 'party', '51', 'realm_emoji'],
    [502, ids.adam, 'zulip', 'zulip', 'svc_extra_emoji'],
  ]);
}

async function expectPermissions({ sql }: Elsewhere): Promise<void> {
  const [realm] =
    await sql`select display_name, description, settings, group_settings, authentication_methods as methods,
    user_defaults from realms where name = 'acme'`;
  expect(realm).toEqual({
    display_name: 'Acme Works',
    description: 'Where *we* work',
    settings: {
      enable_read_receipts: true,
      message_edit_history_visibility_policy: 'moves',
      topics_policy: 'disable_empty_topic',
      new_stream_announcements_stream_id: 21,
    },
    group_settings: {
      can_create_groups: 103,
      can_invite_users_group: { direct_members: [ids.bob], direct_subgroups: [103] },
    },
    methods: { JWT: false, LDAP: false, 'OpenID Connect': false },
    user_defaults: { enter_sends: true },
  });
  const groups = await sql`
    select name, is_deactivated as gone, creator_id as creator, group_settings as settings,
      (select array_agg(id order by id) from users where group_ids @> array[g.id]) as members
    from user_groups g where not is_system order by id`;
  expect(groups).toEqual([
    {
      name: 'writers',
      gone: false,
      creator: ids.olivia,
      settings: expect.objectContaining({
        can_manage_group: { direct_members: [ids.bob], direct_subgroups: [103] },
        can_mention_group: 106,
        can_leave_group: 108,
      }),
      members: [ids.olivia, ids.adam],
    },
    expect.objectContaining({ name: 'readers', gone: true, creator: null, members: null }),
  ]);
  expect(await sql`select group_id as group, subgroup_id as subgroup from user_group_subgroups`).toEqual([
    { group: 120, subgroup: 121 },
  ]);
  const [secret] =
    await sql`select group_settings -> 'can_send_message_group' as senders, message_retention_days as days,
    is_private as private, shares_history as shared from channels where name = 'secret'`;
  expect(secret).toEqual({
    senders: { direct_members: [ids.bob], direct_subgroups: [103] },
    days: 30,
    private: true,
    shared: false,
  });
}

async function expectPeople({ sql }: Elsewhere): Promise<void> {
  const people = await sql`
    select id, full_name as name, email, role, is_active as active, bot_type as bot, bot_owner_id as owner,
      email_visibility as visible, is_full_member as full, settings, last_active_on::text as last, avatar_path is not null as pictured
    from users where not is_system order by id`;
  expect(people.map((row) => Object.values(row))).toEqual([
    [
      ids.gateway,
      'Email Gateway',
      'emailgateway@zulip.invalid',
      400,
      false,
      1,
      null,
      1,
      false,
      {},
      null,
      false,
    ],
    [
      ids.olivia,
      'Olivia Example',
      'olivia@acme.example',
      100,
      true,
      null,
      null,
      1,
      true,
      { enter_sends: true },
      null,
      true,
    ],
    [
      ids.adam,
      'Adam Example',
      'adam@acme.example',
      400,
      true,
      null,
      null,
      3,
      true,
      { resolved_topic_notice_auto_read_policy: 'never' },
      '2023-11-15',
      true,
    ],
    [ids.bob, 'Bob Example', 'bob@acme.example', 400, true, null, null, 1, false, {}, null, false],
    [ids.gus, 'Gus Example', 'gus@acme.example', 600, true, null, null, 1, true, {}, null, false],
    [ids.dora, 'Dora', 'dora@acme.example', 400, false, null, null, 1, false, {}, null, false],
    [
      ids.helper,
      'Helper Example',
      'helper@acme.example',
      400,
      true,
      1,
      ids.olivia,
      1,
      false,
      {},
      null,
      false,
    ],
    [ids.hook, 'Hook Example', 'hook@acme.example', 400, true, 3, ids.adam, 1, false, {}, null, false],
    [999, 'Unknown user 999', 'user999@zulip.invalid', 400, false, null, null, 1, false, {}, null, false],
  ]);
  const [kinds] = await sql`select array(select email from users where is_system order by id) as bots,
    array(select word from alert_words) as words, array(select muted_user_id from muted_users) as muted,
    array(select title from saved_snippets) as snippets, array(select name from onboarding_steps_seen) as steps,
    array(select text || ':' || emoji_code from user_statuses order by user_id) as statuses,
    array(select update_id::int from presences order by user_id) as presences,
    array(select value from custom_profile_values order by field_id) as profile,
    array(select field_data from custom_profile_fields order by id) as fields,
    array(select pattern from linkifiers) as linkifiers, array(select domain from realm_domains) as domains,
    array(select o.name || ':' || t.policy from user_topics t join topics o on o.id = t.topic_id order by 1) as topics,
    array(select content || recipients::text || topic from scheduled_messages order by id) as scheduled,
    array(select note || message_id from reminders) as reminders,
    array(select value from bot_storage) as storage, array(select base_url from bot_services) as services`;
  expect(kinds).toEqual({
    bots: ['notification-bot@zulip.invalid', 'welcome-bot@zulip.invalid'],
    words: ['lunch'],
    muted: [ids.dora],
    snippets: ['Hello'],
    steps: ['intro_inbox_view_modal'],
    statuses: ['away:zulip', 'here:'],
    presences: [4, 1],
    profile: ['+43 1', `[${ids.olivia}]`],
    fields: ['', '', '{"subtype":"custom","url_pattern":"https://twitter.com/%(username)s"}'],
    linkifiers: ['#(?P<id>[0-9]{2,8})'],
    domains: ['acme.example'],
    topics: ['Lunch:3', 'empty yet:1'],
    scheduled: ['later{21}Lunch', `later{${ids.olivia},${ids.bob}}`],
    reminders: ['do it502'],
    storage: ['3'],
    services: ['https://hook.example/in'],
  });
}

test('an export of Zulip becomes an organization with all that it has', withProcesses, async () => {
  const file = await archiveOf('whole', smallZulipExport());
  await using elsewhere = await startElsewhere();
  const env = { DATABASE_URL: elsewhere.databaseUrl, UPLOADS_DIR: elsewhere.uploads };
  const imported = await parleyJson<{ id: number }>(['import', file, '--name', 'acme'], { env });
  expect(imported).toMatchObject({
    realm: 'acme',
    messages: 10,
    is_renumbered: false,
    report: { source: 'zulip', kinds: kept, conflicts: [] },
  });
  await expectMessages(elsewhere);
  await expectReadState(elsewhere);
  await expectHistory(elsewhere);
  await expectPermissions(elsewhere);
  await expectPeople(elsewhere);
  expect(await badHtml(elsewhere, imported.id)).toEqual([]);
  const stored = (path: string) => readFile(join(elsewhere.uploads, path), 'utf8');
  expect(await stored('uploads/7/ab-Folder_1/original')).toBe('a plan');
  const [dot] = await elsewhere.sql`select image from attachments where name = 'dot.png'`;
  expect(dot).toEqual({ image: { contentType: 'image/png', width: 1, height: 1, frames: 1 } });
  for (const kind of ['avatars', 'emoji', 'realm-pictures']) {
    expect(await readdir(join(elsewhere.uploads, kind, '7')), kind).toHaveLength(kind === 'avatars' ? 2 : 1);
  }
});

test('a plan says what would become of an export of Zulip', withProcesses, async () => {
  const file = await archiveOf('plan', smallZulipExport());
  expect(await parleyJson(['import', file, '--plan'])).toMatchObject({
    plan: { source: 'zulip', kinds: { ...kept, people: { kept: 6 } } },
  });
});
