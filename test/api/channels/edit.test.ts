import { describe, expect, test } from 'vitest';

import {
  type Event,
  type Person,
  channelOf,
  createChannel,
  groupId,
  letSpectatorsIn,
  outcomeOf,
  realm,
  say,
  subscribe,
} from '../../support/index.ts';

/** What was heard of channels and subscriptions: notices and first messages aside. */
const told = (events: Event[]) =>
  events
    .filter(({ type, property }) => type !== 'message' && property !== 'first_message_id')
    .map(({ type, op, property }) => [type, op, ...(property === undefined ? [] : [property])].join(' '));

describe('PATCH /streams/{stream_id}', () => {
  test('tells each change by itself, and the name under which the channel was known', async () => {
    const { owner, alice, bob } = await realm();
    const id = await createChannel(owner, 'news', [alice]);
    const phone = await bob.listen({ event_types: ['stream'] });
    const changes = { new_name: 'Olds', description: 'Past\nthings', message_retention_days: 9 };
    expect(await owner.patch(`/streams/${id}`, changes)).toEqual({ result: 'success', msg: '' });
    expect(await phone.hears()).toMatchObject([
      {
        property: 'description',
        value: 'Past things',
        rendered_description: '<p>Past things</p>',
        name: 'news',
      },
      { property: 'message_retention_days', value: 9, name: 'news' },
      { property: 'name', value: 'Olds', name: 'news' },
    ]);
    expect(await channelOf(bob, id)).toMatchObject({
      name: 'Olds',
      description: 'Past things',
      message_retention_days: 9,
    });
  });

  test('tells nothing where nothing changes', async () => {
    const { alice } = await realm();
    const id = await createChannel(alice, 'news');
    const phone = await alice.listen();
    const { can_send_message_group } = await channelOf(alice, id);
    await alice.patch(`/streams/${id}`, {
      description: '',
      is_private: false,
      topics_policy: 'inherit',
      folder_id: null,
      can_send_message_group: { new: can_send_message_group },
    });
    expect(await phone.hears()).toEqual([]);
  });

  test('posts a notice of what people should know', async () => {
    const { alice, bob } = await realm();
    const id = await createChannel(alice, 'news', [alice, bob]);
    const phone = await bob.listen({ event_types: ['message'] });
    const moderators = await groupId(alice, 'role:moderators');
    for (const change of [
      { new_name: 'olds' },
      { description: 'x' },
      { is_private: true },
      { can_send_message_group: { new: moderators } },
    ]) {
      await alice.patch(`/streams/${id}`, change);
    }
    const heard = await phone.hears();
    const says = (text: string) => ({
      message: { subject: 'channel events', content: expect.stringContaining(text) },
    });
    expect(heard).toMatchObject([
      says('renamed this channel from **news** to **olds**'),
      says('> x'),
      says('**Private, shared history**'),
      says('who can post'),
    ]);
    expect((await alice.get('/messages', { anchor: 'newest', num_before: 1 })).messages[0].flags).toEqual([
      'read',
    ]);
  });

  test('hides a channel from those outside, and shows it to them with who is in it', async () => {
    const { owner, alice, bob, carol, guest } = await realm();
    const id = await createChannel(alice, 'news', [alice, bob, guest]);
    const phones = {
      owner: await owner.listen(),
      bob: await bob.listen(),
      carol: await carol.listen(),
      guest: await guest.listen(),
    };
    await alice.patch(`/streams/${id}`, { is_private: true });
    expect(told(await phones.owner.hears())).toEqual(['stream update invite_only']);
    expect(told(await phones.bob.hears())).toEqual(['stream update invite_only']);
    expect(told(await phones.guest.hears())).toEqual(['stream update invite_only']);
    expect(told(await phones.carol.hears())).toEqual(['stream delete']);
    expect(await carol.get(`/streams/${id}`)).toMatchObject({ msg: 'This channel does not exist.' });

    await alice.patch(`/streams/${id}`, { is_private: false });
    expect(told(await phones.bob.hears())).toEqual(['stream update invite_only']);
    const shown = await phones.carol.hears();
    expect(told(shown)).toEqual(['stream create', 'subscription peer_add']);
    expect(shown[1]).toMatchObject({ stream_ids: [id], user_ids: [alice.id, bob.id, guest.id] });
  });

  test('shows a private channel to those who may come in, and to others no more', async () => {
    const { moderator, bob, carol, guest } = await realm();
    const id = await createChannel(moderator, 'secret', [moderator], { invite_only: true });
    const [his, hers, theirs] = [await bob.listen(), await carol.listen(), await guest.listen()];
    const only = (...people: Person[]) => ({
      new: { direct_members: people.map((person) => person.id), direct_subgroups: [] },
    });
    await moderator.patch(`/streams/${id}`, { can_subscribe_group: only(bob, guest) });
    expect(told(await his.hears())).toEqual(['stream create', 'subscription peer_add']);
    expect(told(await theirs.hears()), 'guests are let in by others alone').toEqual([]);
    await moderator.patch(`/streams/${id}`, { can_subscribe_group: only(carol) });
    expect(told(await his.hears())).toEqual(['stream delete']);
    expect(told(await hers.hears())).toEqual(['stream create', 'subscription peer_add']);
    expect(
      await carol.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }] }),
    ).toMatchObject({ subscribed: { [carol.id]: ['secret'] } });
  });

  test('says in old words, too, who may post', async () => {
    const { alice, bob } = await realm();
    const id = await createChannel(alice, 'news', [alice]);
    const phone = await bob.listen({ event_types: ['stream'] });
    const set = async (name: string) =>
      alice.patch(`/streams/${id}`, { can_send_message_group: { new: await groupId(alice, name) } });
    await set('role:administrators');
    await set('role:fullmembers');
    await set('role:members');
    const heard = (await phone.hears()).map(({ property, value }) =>
      property === 'can_send_message_group' ? property : [property, value],
    );
    expect(heard).toEqual([
      'can_send_message_group',
      ['stream_post_policy', 2],
      ['is_announcement_only', true],
      'can_send_message_group',
      ['stream_post_policy', 3],
      ['is_announcement_only', false],
      'can_send_message_group',
      ['stream_post_policy', 1],
    ]);
  });

  test('refuses what cannot be', async () => {
    const { owner, alice, bob } = await realm();
    const id = await createChannel(alice, 'news', [alice]);
    await createChannel(alice, 'other');
    const refusal = async (changes: object, by: Person = alice) =>
      outcomeOf(await by.patch(`/streams/${id}`, { ...changes }));
    const [members, nobody] = [await groupId(alice, 'role:members'), await groupId(alice, 'role:nobody')];
    expect(await refusal({ new_name: 'news' })).toBe('This channel already has this name.');
    expect(await refusal({ new_name: 'OTHER' })).toBe('CHANNEL_ALREADY_EXISTS');
    expect(await refusal({ new_name: 'NEWS' })).toBe('ok');
    expect(await refusal({ history_public_to_subscribers: false })).toBe(
      'A channel cannot be both private and web-public, and only a private channel can hide its history.',
    );
    expect(await refusal({ is_private: true, is_web_public: true })).toBe(
      'A channel cannot be both private and web-public, and only a private channel can hide its history.',
    );
    expect(await refusal({ is_web_public: true })).toBe(
      'Web-public channels are turned off in this organization.',
    );
    expect(await refusal({ message_retention_days: 9 })).toBe('UNAUTHORIZED_PRINCIPAL');
    expect(await refusal({ is_default_stream: true })).toBe(
      'You do not have permission to change default channels.',
    );
    expect(await refusal({ is_archived: false })).toBe('This channel is not archived.');
    expect(await refusal({ is_archived: true })).toBe('is_archived is not valid.');
    expect(await refusal({ folder_id: 999_999 })).toBe('This channel folder does not exist.');
    expect(await refusal({ can_subscribe_group: { new: members, old: members } })).toBe(
      'EXPECTATION_MISMATCH',
    );
    expect(await refusal({ can_subscribe_group: { new: members, old: nobody } })).toBe('ok');
    expect(await refusal({ can_delete_own_message_group: { new: members } })).toBe(
      'You do not have permission to do this.',
    );
    expect(await refusal({ description: 'x' }, bob)).toBe(
      'You do not have permission to administer this channel.',
    );
    expect(await refusal({ is_default_stream: true }, owner)).toBe('ok');
    expect(await refusal({ is_private: true }, owner)).toBe('A default channel cannot be private.');
    expect(await refusal({ is_private: true, is_default_stream: false }, owner)).toBe('ok');
    await say(alice, 'news');
    const emptyOnly = await alice.patch(`/streams/${id}`, { topics_policy: 'empty_topic_only' });
    expect(emptyOnly).toMatchObject({ code: 'BAD_REQUEST', empty_topic_display_name: 'general chat' });
  });

  test('lets administrators change a private channel, but not who may look into it', async () => {
    const people = await realm();
    const { owner, admin, alice } = people;
    await letSpectatorsIn(people);
    const id = await createChannel(alice, 'secret', [alice], { invite_only: true });
    const answer = async (changes: object, by: Person = admin) =>
      outcomeOf(await by.patch(`/streams/${id}`, { ...changes }));
    const members = await groupId(admin, 'role:members');
    expect(await answer({ description: 'x', can_send_message_group: { new: members } })).toBe('ok');
    for (const changes of [
      { is_private: false },
      { history_public_to_subscribers: true },
      { can_subscribe_group: { new: members } },
      { can_add_subscribers_group: { new: members } },
    ]) {
      expect(await answer(changes)).toBe('You need access to the messages of this channel.');
    }
    await owner.patch('/realm', {
      can_create_public_channel_group: { new: await groupId(owner, 'role:owners') },
    });
    expect(await answer({ is_private: false }, alice)).toBe('You do not have permission to do this.');
    await owner.patch('/realm', { moderation_request_channel_id: id }).then(outcomeOf);
    await subscribe(alice, 'secret', [owner]);
    await owner.patch('/realm', { moderation_request_channel_id: id });
    expect(await answer({ is_private: false }, owner)).toBe(
      'The channel for moderation requests must stay private.',
    );
  });
});

describe('DELETE /streams/{stream_id}', () => {
  test('archives a channel: clients that know of archives are told so, others lose it', async () => {
    const { owner, alice, bob } = await realm();
    const id = await createChannel(owner, 'news', [alice], { is_default_stream: true });
    await owner.patch('/realm', { new_stream_announcements_stream_id: id });
    const capable = { notification_settings_null: true, archived_channels: true };
    const [new_, old] = [await bob.listen({ client_capabilities: capable }), await bob.listen()];
    expect(await owner.delete(`/streams/${id}`)).toEqual({ result: 'success', msg: '' });
    expect(told(await new_.hears())).toEqual([
      'realm update new_stream_announcements_stream_id',
      'default_streams ',
      'stream update is_archived',
    ]);
    expect(told(await old.hears()).at(-1)).toBe('stream delete');
    expect((await bob.get('/streams')).streams).toEqual([]);
    expect((await bob.get('/streams', { exclude_archived: false })).streams).toMatchObject([
      { stream_id: id, is_archived: true },
    ]);
    expect(await owner.delete(`/streams/${id}`)).toMatchObject({ msg: 'This channel is already archived.' });
    expect(
      await alice.post('/messages', { type: 'channel', to: id, topic: 't', content: 'x' }),
    ).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await bob.post('/users/me/subscriptions', { subscriptions: [{ name: 'news' }] })).toMatchObject({
      msg: "You do not have access to the channel 'news'.",
    });
    const { messages } = await alice.get('/messages', {
      anchor: 'newest',
      num_before: 1,
      apply_markdown: false,
    });
    expect(messages).toMatchObject([
      { subject: 'channel events', content: 'This channel has been archived.' },
    ]);

    await owner.patch(`/streams/${id}`, { is_archived: false });
    expect(told(await new_.hears())).toEqual(['stream update is_archived']);
    const back = await old.hears();
    expect(told(back)).toEqual(['stream create', 'subscription peer_add']);
    expect((await alice.get('/users/me/subscriptions')).subscriptions).toMatchObject([{ stream_id: id }]);
  });
});
