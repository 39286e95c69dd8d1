import { realmSettingRows } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import { type Json, type Person, getWorld, groupId, realm, subscribe, succeed } from '../support/index.ts';

const state = async (who: Person): Promise<Json> =>
  await who.post('/register', { fetch_event_types: ['realm', 'realm_user_groups'] });

describe('PATCH /realm', () => {
  test('changes the name and the description, and tells everyone', async () => {
    const { admin, guest } = await realm();
    const phone = await guest.listen();
    expect(await admin.patch('/realm', { name: ' Zed ', description: 'We brew' })).toEqual({
      result: 'success',
      msg: '',
    });
    expect(await phone.hears()).toMatchObject([
      { type: 'realm', op: 'update', property: 'name', value: 'Zed' },
      { type: 'realm', op: 'update', property: 'description', value: 'We brew' },
    ]);
    expect(await state(guest)).toMatchObject({ realm_name: 'Zed', realm_description: 'We brew' });
    expect(await guest.get('/server_settings')).toMatchObject({ realm_name: 'Zed' });
  });

  test('takes a service for video calls, and a rating, only of those that clients are shown', async () => {
    const { admin } = await realm();
    const { realm_available_video_chat_providers: providers, giphy_rating_options: ratings } =
      await state(admin);
    const idsOf = (choices: Json): number[] => Object.values<Json>(choices).map(({ id }) => id);
    for (const [name, choices] of Object.entries({ video_chat_provider: providers, giphy_rating: ratings })) {
      for (const id of [0, 1, 2, 3, 4, 5, 6]) {
        const reply = await admin.patch('/realm', { [name]: id });
        expect(reply.result, `${name} ${id}`).toBe(idsOf(choices).includes(id) ? 'success' : 'error');
      }
    }
  });

  test('tells of settings that belong together at once, and of others one by one', async () => {
    const { admin, guest } = await realm();
    const phone = await guest.listen();
    await admin.patch('/realm', {
      topics_policy: 'disable_empty_topic',
      allow_message_editing: false,
      message_content_edit_limit_seconds: '"unlimited"',
      message_edit_history_visibility_policy: 'none',
      enable_read_receipts: true,
      giphy_rating: 2,
    });
    expect(await phone.hears()).toEqual([
      { id: expect.any(Number), type: 'realm', op: 'update', property: 'enable_read_receipts', value: true },
      {
        id: expect.any(Number),
        type: 'realm',
        op: 'update',
        property: 'message_edit_history_visibility_policy',
        value: 'none',
      },
      { id: expect.any(Number), type: 'realm', op: 'update', property: 'allow_edit_history', value: false },
      {
        id: expect.any(Number),
        type: 'realm',
        op: 'update_dict',
        property: 'default',
        data: {
          allow_message_editing: false,
          message_content_edit_limit_seconds: null,
          topics_policy: 'disable_empty_topic',
          mandatory_topics: true,
        },
      },
    ]);
    expect(await state(guest)).toMatchObject({
      realm_mandatory_topics: true,
      realm_allow_edit_history: false,
      realm_message_content_edit_limit_seconds: null,
    });
  });

  test('what stays as it is is told to nobody', async () => {
    const { owner } = await realm();
    const phone = await owner.listen();
    const now = await state(owner);
    const settings = realmSettingRows
      .filter(([name]) => now[`realm_${name}`] !== null)
      .map(([name]) => [name, now[`realm_${name}`]]);
    await owner.patch('/realm', {
      ...Object.fromEntries(settings.filter(([, value]) => value !== -1)),
      name: now.realm_name,
      can_create_groups: { new: now.realm_can_create_groups },
    });
    expect(await phone.hears()).toEqual([]);
  });

  test('refuses what would have no effect on this server, and links that are none', async () => {
    const { owner } = await realm();
    for (const params of [
      { want_advertise_in_communities_directory: true },
      { jitsi_server_url: '"javascript:alert(1)"' },
      { jitsi_server_url: '"meet.example"' },
    ])
      expect([await owner.patch('/realm', params), params]).toMatchObject([{ code: 'BAD_REQUEST' }, params]);
    await using node = await (await getWorld()).startApi({ canSendMail: false });
    const without = async (isEnabled: boolean) =>
      (await owner.ask('PATCH', '/realm', { digest_emails_enabled: isEnabled }, { port: node.port })).body;
    expect(await without(true)).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await without(false)).toMatchObject({ result: 'success' });
  });

  test('new accounts are announced, and speak the organization’s language', async () => {
    const { owner, alice, join } = await realm();
    await subscribe(alice, 'news');
    const { stream_id } = await alice.get('/get_stream_id', { stream: 'news' });
    await succeed(
      owner.patch('/realm', { signup_announcements_stream_id: stream_id, default_language: 'de' }),
    );
    const phone = await alice.listen({ event_types: ['message'] });
    const [newcomer, robot] = [
      await join({ name: 'Newcomer' }),
      await join({ name: 'Robot', botType: 1, botOwnerId: alice.id }),
    ];
    expect(await phone.hears()).toMatchObject([
      {
        message: {
          display_recipient: 'news',
          subject: 'neue Mitglieder',
          content: `@_**Newcomer|${newcomer.id}** ist der Organisation beigetreten.`,
        },
      },
    ]);
    const { user_settings } = await newcomer.post('/register', { fetch_event_types: ['user_settings'] });
    expect(user_settings.default_language).toBe('de');
    expect((await robot.post('/register', { fetch_event_types: ['user_settings'] })).result).toBe('success');
  });

  test('some settings are the owners’ to change', async () => {
    const { owner, admin, moderator } = await realm();
    const params = [
      { waiting_period_threshold: 3 },
      { invite_required: false },
      { message_retention_days: 30 },
      { emails_restricted_to_domains: true },
      { can_manage_all_groups: { new: await groupId(owner, 'role:administrators') } },
    ];
    for (const one of params) {
      expect(await admin.patch('/realm', one)).toMatchObject({
        code: 'UNAUTHORIZED_PRINCIPAL',
        msg: 'Only owners of the organization can do this.',
      });
      expect(await owner.patch('/realm', one)).toMatchObject({ result: 'success' });
    }
    expect(await moderator.patch('/realm', { name: 'x' })).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Only administrators of the organization can do this.',
    });
  });

  test('a permission is changed by someone who knows its value, and holds at once', async () => {
    const { owner, alice, bob } = await realm();
    const members = await groupId(owner, 'role:members');
    const anonymous = { direct_members: [alice.id, alice.id], direct_subgroups: [] };
    const phone = await bob.listen();

    const stale = { new: anonymous, old: members + 1 };
    expect(await owner.patch('/realm', { can_create_public_channel_group: stale })).toMatchObject({
      code: 'EXPECTATION_MISMATCH',
      field_name: 'old',
    });
    const change = { new: anonymous, old: members };
    await owner.patch('/realm', { can_create_public_channel_group: change });

    const value = { direct_members: [alice.id], direct_subgroups: [] };
    expect(await phone.hears()).toMatchObject([
      { type: 'realm', op: 'update_dict', data: { can_create_public_channel_group: value } },
    ]);
    const creates = async (who: Person) =>
      (await who.post('/register', { fetch_event_types: ['realm_user'] })).can_create_public_streams;
    expect([await creates(alice), await creates(bob)]).toEqual([true, false]);
    expect((await state(bob)).realm_can_create_public_channel_group).toEqual(value);
  });

  test('refuses what no setting can be', async () => {
    const { owner, alice } = await realm();
    const other = await realm();
    const strange = await groupId(other.owner, 'role:members');
    const [nobody, everyone, internet, members] = [
      await groupId(owner, 'role:nobody'),
      await groupId(owner, 'role:everyone'),
      await groupId(owner, 'role:internet'),
      await groupId(owner, 'role:members'),
    ];
    const of = (...ids: number[]) => ({ direct_members: ids, direct_subgroups: [] });
    await subscribe(alice, 'open');
    const { streams } = await owner.get('/streams');
    for (const [params, code] of [
      [{ name: '' }, 'BAD_REQUEST'],
      [{ name: 'x'.repeat(41) }, 'BAD_REQUEST'],
      [{ description: 'x'.repeat(1001) }, 'BAD_REQUEST'],
      [{ default_language: 'xx' }, 'BAD_REQUEST'],
      [{ digest_weekday: 7 }, 'BAD_REQUEST'],
      [{ topics_policy: 'inherit' }, 'BAD_REQUEST'],
      [{ message_content_delete_limit_seconds: 0 }, 'REQUEST_VARIABLE_INVALID'],
      [{ message_content_delete_limit_seconds: '"forever"' }, 'REQUEST_VARIABLE_INVALID'],
      [{ message_retention_days: -1 }, 'REQUEST_VARIABLE_INVALID'],
      [{ new_stream_announcements_stream_id: 2_000_000_000 }, 'BAD_REQUEST'],
      [{ moderation_request_channel_id: streams[0].stream_id }, 'BAD_REQUEST'],
      [{ can_create_groups: { new: strange } }, 'BAD_REQUEST'],
      [{ can_create_groups: { new: internet } }, 'BAD_REQUEST'],
      [{ can_create_groups: { new: everyone } }, 'BAD_REQUEST'],
      [{ can_manage_all_groups: { new: nobody } }, 'BAD_REQUEST'],
      [{ can_create_web_public_channel_group: { new: members } }, 'BAD_REQUEST'],
      [{ can_access_all_users_group: { new: nobody } }, 'BAD_REQUEST'],
      [{ can_create_groups: { new: of(other.alice.id) } }, 'BAD_REQUEST'],
      [{ can_create_groups: { new: of(owner.id, other.alice.id) } }, 'BAD_REQUEST'],
    ] as const) {
      expect([await owner.patch('/realm', params), params]).toMatchObject([{ code }, params]);
    }
    const groups = { new: nobody };
    expect(await owner.patch('/realm', { can_create_groups: groups })).toMatchObject({ result: 'success' });
    const announced = { new_stream_announcements_stream_id: streams[0].stream_id };
    expect(await owner.patch('/realm', announced)).toMatchObject({ result: 'success' });
    expect(await owner.patch('/realm', { jitsi_server_url: '"default"' })).toMatchObject({
      result: 'success',
    });
  });
});
