import { channelGroupNames } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import { type Person, channelOf, groupId, letSpectatorsIn, realm } from '../../support/index.ts';

const create = (by: Person, params: Record<string, unknown>) =>
  by.post('/channels/create', { subscribers: [], ...params });

describe('POST /channels/create', () => {
  test('makes a channel as asked, and answers with its id', async () => {
    const { owner, alice, bob, guest } = await realm();
    const { channel_folder_id: folder_id } = await owner.post('/channel_folders/create', {
      name: 'Work',
      description: '',
    });
    const [members, nobody] = [await groupId(owner, 'role:members'), await groupId(owner, 'role:nobody')];
    const { id, ...rest } = await create(owner, {
      name: ' News ',
      description: 'All\nof it',
      subscribers: [bob.id, guest.id],
      is_default_stream: true,
      folder_id,
      topics_policy: 'disable_empty_topic',
      message_retention_days: 30,
      can_send_message_group: members,
      can_resolve_topics_group: { direct_members: [bob.id, alice.id, bob.id], direct_subgroups: [nobody] },
      can_subscribe_group: { direct_members: [], direct_subgroups: [members] },
    });
    expect(rest).toEqual({ result: 'success', msg: '' });
    expect(await channelOf(alice, id)).toMatchObject({
      name: 'News',
      description: 'All of it',
      creator_id: owner.id,
      invite_only: false,
      history_public_to_subscribers: true,
      folder_id,
      topics_policy: 'disable_empty_topic',
      message_retention_days: 30,
      subscriber_count: 2,
      is_announcement_only: false,
      stream_post_policy: 1,
      can_send_message_group: members,
      can_resolve_topics_group: {
        direct_members: [alice.id, bob.id].sort((a, b) => a - b),
        direct_subgroups: [nobody],
      },
      // A single group is itself.
      can_subscribe_group: members,
      can_administer_channel_group: { direct_members: [owner.id], direct_subgroups: [] },
    });
    expect(await alice.get(`/streams/${id}/members`)).toMatchObject({ subscribers: [bob.id, guest.id] });
  });

  test('gives each permission to whom it says', async () => {
    const { owner, alice } = await realm();
    const members = await groupId(owner, 'role:members');
    const permissions = Object.fromEntries(channelGroupNames.map((name) => [name, members]));
    const { id } = await create(owner, { name: 'News', subscribers: [], ...permissions });
    expect(await channelOf(alice, id)).toMatchObject(permissions);
  });

  test('reads words as JSON, too', async () => {
    const { owner } = await realm();
    const made = async (name: string, params: object) =>
      await channelOf(owner, (await create(owner, { name, ...params })).id);
    expect(
      await made('a', { topics_policy: '"allow_empty_topic"', message_retention_days: '"unlimited"' }),
    ).toMatchObject({ topics_policy: 'allow_empty_topic', message_retention_days: -1 });
    expect(await made('b', { message_retention_days: '"realm_default"' })).toMatchObject({
      message_retention_days: null,
    });
    expect(await made('c', { message_retention_days: '7' })).toMatchObject({ message_retention_days: 7 });
  });

  test('refuses a name that is taken, whatever its case, also by an archived channel', async () => {
    const { owner, alice } = await realm();
    const { id } = await create(alice, { name: 'News' });
    const refused = {
      code: 'CHANNEL_ALREADY_EXISTS',
      msg: "There is already a channel called 'News'.",
      channel_name: 'News',
    };
    expect(await create(owner, { name: 'NEWS' })).toMatchObject(refused);
    await owner.delete(`/streams/${id}`);
    expect(await create(owner, { name: 'news' })).toMatchObject(refused);
  });

  test('tells those who see the channel, then those who are in it, then the others', async () => {
    const { alice, bob, carol, guest } = await realm();
    const kinds = async (listening: Person, act: () => Promise<unknown>) => {
      const listener = await listening.listen({ event_types: ['stream', 'subscription'] });
      await act();
      return (await listener.hears()).map(({ type, op }) => `${type} ${op}`);
    };
    expect(await kinds(bob, () => create(alice, { name: 'a', subscribers: [bob.id] }))).toEqual([
      'stream create',
      'subscription add',
      // The notice of its making is its first message.
      'stream update',
    ]);
    expect(await kinds(carol, () => create(alice, { name: 'b', subscribers: [bob.id] }))).toEqual([
      'stream create',
      'subscription peer_add',
      'stream update',
    ]);
    expect(await kinds(guest, () => create(alice, { name: 'c', subscribers: [bob.id] }))).toEqual([]);
    const secret = () => create(alice, { name: 'd', subscribers: [bob.id], invite_only: true });
    expect(await kinds(carol, secret)).toEqual([]);
  });

  test('posts a notice in the channel, and in the one for new channels if asked to', async () => {
    const { owner, alice } = await realm();
    const { id: announcements } = await create(owner, { name: 'new', subscribers: [owner.id] });
    await owner.patch('/realm', { new_stream_announcements_stream_id: announcements });
    const phone = await owner.listen({ event_types: ['message'] });
    await create(alice, { name: 'quiet', subscribers: [alice.id] });
    await create(alice, { name: 'secret', announce: true, invite_only: true });
    expect(await phone.hears()).toEqual([]);
    await create(alice, { name: 'loud', announce: true });
    expect(await phone.hears()).toMatchObject([
      {
        message: {
          stream_id: announcements,
          subject: 'new channels',
          content: expect.stringContaining('#**loud**'),
          sender_full_name: 'Notification Bot',
        },
      },
    ]);
    const { messages } = await alice.get('/messages', { anchor: 'newest', num_before: 9 });
    expect(messages).toMatchObject([
      { display_recipient: 'quiet', subject: 'channel events', flags: ['read'] },
    ]);
  });

  test('refuses what no channel can be', async () => {
    const { owner, alice } = await realm();
    const refusal = async (params: Record<string, unknown>, by: Person = owner) => {
      const { code, msg } = await create(by, params);
      return code === 'BAD_REQUEST' ? msg : code;
    };
    const [internet, everyone] = [
      await groupId(owner, 'role:internet'),
      await groupId(owner, 'role:everyone'),
    ];
    expect(await refusal({ name: ' ' })).toBe('Enter a name for the channel.');
    expect(await refusal({ name: 'x'.repeat(61) })).toBe(
      'The name of a channel can have at most 60 characters.',
    );
    expect(await refusal({ name: 'a\u200b\u0007' })).toBe(
      'The name of the channel contains a character that is not allowed, at position 3.',
    );
    expect(await refusal({ name: 'a', description: 'x'.repeat(1025) })).toBe(
      'The description can have at most 1024 characters.',
    );
    expect(await refusal({ name: 'a', topics_policy: 'none' })).toBe('topics_policy is not valid.');
    expect(await refusal({ name: 'a', folder_id: 999_999 })).toBe('This channel folder does not exist.');
    expect(await refusal({ name: 'a', invite_only: true, is_default_stream: true })).toBe(
      'A default channel cannot be private.',
    );
    expect(await refusal({ name: 'a', is_web_public: true })).toBe(
      'Web-public channels are turned off in this organization.',
    );
    expect(await refusal({ name: 'a', is_web_public: true, invite_only: true })).toBe(
      'A channel cannot be both private and web-public, and only a private channel can hide its history.',
    );
    expect(await refusal({ name: 'a', history_public_to_subscribers: false })).toBe(
      'A channel cannot be both private and web-public, and only a private channel can hide its history.',
    );
    expect(await refusal({ name: 'a', subscribers: [999_999] })).toBe('This user does not exist.');
    expect(await refusal({ name: 'a', can_send_message_group: internet })).toBe(
      "'can_send_message_group' cannot be set to the group 'role:internet'.",
    );
    expect(await refusal({ name: 'a', can_subscribe_group: everyone })).toBe(
      "'can_subscribe_group' cannot be set to the group 'role:everyone'.",
    );
    const withStranger = { direct_members: [999_999], direct_subgroups: [] };
    expect(await refusal({ name: 'a', can_subscribe_group: withStranger })).toBe(
      'There is no user with the id 999999.',
    );
    expect(await refusal({ name: 'a', can_subscribe_group: 999_999 })).toBe(
      'This user group does not exist.',
    );
    expect(await refusal({ name: 'a', message_retention_days: 'forever' })).toMatch(
      /^message_retention_days/,
    );
    expect(await refusal({ name: 'a', message_retention_days: 3 }, alice)).toBe('UNAUTHORIZED_PRINCIPAL');
    expect((await alice.get('/streams')).streams).toEqual([]);
  });

  test('is for those whom the organization lets', async () => {
    const people = await realm();
    const { owner, moderator, alice, guest } = people;
    await letSpectatorsIn(people);
    const [owners, moderators] = [
      await groupId(owner, 'role:owners'),
      await groupId(owner, 'role:moderators'),
    ];
    await owner.patch('/realm', {
      can_create_public_channel_group: { new: moderators },
      can_create_private_channel_group: { new: owners },
      can_set_topics_policy_group: { new: owners },
      can_add_subscribers_group: { new: owners },
    });
    const answer = async (by: Person, params: Record<string, unknown>) => {
      const { result, msg } = await create(by, { name: Math.random().toString(), ...params });
      return result === 'success' ? result : msg;
    };
    expect(await answer(alice, {})).toBe('You do not have permission to do this.');
    expect(await answer(guest, {})).toBe('Guests cannot do this.');
    expect(await answer(moderator, {})).toBe('success');
    expect(await answer(moderator, { invite_only: true })).toBe('You do not have permission to do this.');
    expect(await answer(owner, { invite_only: true })).toBe('success');
    expect(await answer(moderator, { is_web_public: true })).toBe('You do not have permission to do this.');
    expect(await answer(owner, { is_web_public: true })).toBe('success');
    expect(await answer(moderator, { topics_policy: 'allow_empty_topic' })).toBe(
      'You do not have permission to do this.',
    );
    expect(await answer(moderator, { is_default_stream: true })).toBe(
      'You do not have permission to do this.',
    );
    expect(await answer(moderator, { can_delete_any_message_group: moderators })).toBe('success');
    await owner.patch('/realm', { can_set_delete_message_policy_group: { new: owners } });
    expect(await answer(moderator, { can_delete_own_message_group: moderators })).toBe(
      'You do not have permission to do this.',
    );
    // Whoever makes a channel administers it, unless others are to.
    expect(await answer(moderator, { subscribers: [alice.id] })).toBe('success');
    expect(await answer(moderator, { subscribers: [alice.id], can_administer_channel_group: owners })).toBe(
      'You do not have permission to do this.',
    );
  });
});
