import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  channelOf,
  createChannel,
  linkTo,
  picture,
  realm,
  say,
  statusFor,
  subscribe,
  succeed,
  tell,
  upload,
  uploadEmoji,
} from '../../support/index.ts';
import { heardOf, listenWith, shown, stateOf } from './heard.ts';

const flag = (by: Person, op: string, name: string, ...messages: number[]) =>
  succeed(by.post('/messages/flags', { messages, op, flag: name }));

describe('Events', () => {
  test('an event of a change names its op, and each event has an integer as its id and a type', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen();
    await subscribe(alice, 'news', [alice, bob]);
    await succeed(alice.patch('/settings', { full_name: 'Alina' }));
    await succeed(bob.post('/users/me/alert_words', { alert_words: ['tea'] }));
    const events = await phone.hears();
    expect(events.map(({ type, op }) => [type, op]).slice(-2)).toEqual([
      ['realm_user', 'update'],
      ['alert_words', undefined],
    ]);
    for (const { id, type } of events) expect([Number.isInteger(id), type.length > 0]).toEqual([true, true]);
  });

  test('alert words are told whole after each change, to their user’s clients alone', async () => {
    const { alice, bob } = await realm();
    const [phone, his] = [await alice.listen(), await bob.listen()];
    await succeed(alice.post('/users/me/alert_words', { alert_words: ['tea'] }));
    await succeed(alice.post('/users/me/alert_words', { alert_words: ['milk'] }));
    await succeed(alice.delete('/users/me/alert_words', { alert_words: ['tea'] }));
    const words = (await heardOf(phone, 'alert_words')).map(({ alert_words }) => alert_words.toSorted());
    expect(words).toEqual([['tea'], ['milk', 'tea'], ['milk']]);
    expect(await his.hears()).toEqual([]);
  });

  test('an alert word marks a message for those whose word it is, and not as part of another word', async () => {
    const { alice, bob, carol } = await realm();
    await subscribe(alice, 'news', [alice, bob, carol]);
    await succeed(bob.post('/users/me/alert_words', { alert_words: ['tea'] }));
    const [his, hers] = [await listenWith(bob, ['message']), await listenWith(carol, ['message'])];
    await say(alice, 'news', 't', 'Tea?');
    await say(alice, 'news', 't', 'a team');
    expect((await his.hears()).map(({ flags }) => flags)).toEqual([['has_alert_word'], []]);
    expect((await hers.hears()).map(({ flags }) => flags)).toEqual([[], []]);
  });

  test('a message that is read or starred is told to its reader’s other clients, and to nobody else', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob]);
    const [phone, hers] = [await listenWith(bob, ['update_message_flags']), await alice.listen()];
    await flag(bob, 'add', 'starred', id);
    await flag(bob, 'add', 'read', id);
    await flag(bob, 'remove', 'read', id);
    expect((await phone.hears()).map((event) => [event['op'], event['flag'], event['messages']])).toEqual([
      ['add', 'starred', [id]],
      ['add', 'read', [id]],
      ['remove', 'read', [id]],
    ]);
    expect(await hers.hears()).toEqual([]);
  });

  test('what one user has read is unread for the others', async () => {
    const { alice, bob, carol } = await realm();
    await subscribe(alice, 'news', [alice, bob, carol]);
    const id = await say(alice, 'news');
    await flag(bob, 'add', 'read', id);
    expect((await shown(bob, id)).flags).toContain('read');
    expect((await shown(carol, id)).flags).not.toContain('read');
  });

  test('messages of somebody who is muted come as read to who mutes them, and as unread to others', async () => {
    const { alice, bob, carol } = await realm();
    await succeed(bob.post(`/users/me/muted_users/${alice.id}`));
    const [his, hers] = [await listenWith(bob, ['message']), await listenWith(carol, ['message'])];
    await tell(alice, [bob, carol]);
    expect((await his.hears())[0]?.['flags']).toEqual(['read']);
    expect((await hers.hears())[0]?.['flags']).toEqual([]);
  });

  test('a status is told to everybody with what changed, and is in the state of who registers later', async () => {
    const { alice, bob } = await realm();
    const phone = await listenWith(bob, ['user_status']);
    await succeed(alice.post('/users/me/status', { status_text: 'away' }));
    expect(await phone.hears()).toMatchObject([{ user_id: alice.id, status_text: 'away' }]);
    expect((await stateOf(bob, 'user_status')).user_status).toEqual({ [alice.id]: { status_text: 'away' } });
  });

  test('whoever shares no presence is in nobody’s list of who is here', async () => {
    const { alice, bob } = await realm();
    await succeed(alice.post('/users/me/presence', { status: 'active' }));
    await succeed(alice.patch('/settings', { presence_enabled: false }));
    const { presences } = await stateOf(bob, 'presence', { slim_presence: true });
    const active = presences[alice.id]?.active_timestamp ?? 0;
    expect(Date.now() / 1000 - active).toBeGreaterThan(60);
  });

  test('typing is heard by those who would get the message, and by nobody else', async () => {
    const { alice, bob, carol } = await realm();
    const [his, hers] = [await listenWith(bob, ['typing']), await listenWith(carol, ['typing'])];
    await Promise.all([his.hears(), hers.hears()]);
    await succeed(alice.post('/typing', { op: 'start', to: [bob.id] }));
    expect(await his.waits()).toMatchObject([{ op: 'start', sender: { user_id: alice.id } }]);
    expect(await hers.hears()).toEqual([]);
  });

  test('editing a message is told as typing to those who may read it', async () => {
    const { alice, bob, carol } = await realm();
    const id = await tell(alice, [bob]);
    const types = ['typing_edit_message'];
    const [his, hers] = [await listenWith(bob, types), await listenWith(carol, types)];
    await Promise.all([his.hears(), hers.hears()]);
    await succeed(alice.post(`/messages/${id}/typing`, { op: 'start' }));
    expect(await his.waits()).toMatchObject([{ op: 'start', message_id: id, sender_id: alice.id }]);
    expect(await hers.hears()).toEqual([]);
  });

  test('a custom emoji that is added is told to everybody, and one that is deactivated stays in reactions', async () => {
    const all = await realm();
    const { owner, alice, bob } = all;
    await uploadEmoji(all, 'logo');
    const id = await tell(alice, [bob]);
    await succeed(bob.post(`/messages/${id}/reactions`, { emoji_name: 'logo' }));
    const phone = await listenWith(bob, ['realm_emoji']);
    await succeed(owner.delete('/realm/emoji/logo'));
    expect(await phone.hears()).toHaveLength(1);
    expect((await shown(alice, id)).reactions).toMatchObject([{ emoji_name: 'logo' }]);
    const again = await alice.post(`/messages/${await tell(alice, [bob])}/reactions`, { emoji_name: 'logo' });
    expect(again.result).toBe('error');
  });

  test('a new picture of an account is told to others with a higher version', async () => {
    const { alice, bob } = await realm();
    const phone = await listenWith(bob, ['realm_user']);
    await alice.upload('/users/me/avatar', [{ name: 'a.png', content: picture, type: 'image/png' }]);
    await succeed(alice.delete('/users/me/avatar'));
    const told = (await phone.hears()).map(({ person }) => person);
    expect(told.map(({ avatar_source }) => avatar_source)).toEqual(['U', 'G']);
    expect(told[1].avatar_version).toBeGreaterThan(told[0].avatar_version);
  });

  test('a changed property of a subscription is told to the subscriber’s clients alone', async () => {
    const { alice, bob } = await realm();
    const news = await createChannel(alice, 'news', [alice, bob]);
    const [phone, his] = [await listenWith(alice, ['subscription']), await bob.listen()];
    const change = { stream_id: news, property: 'pin_to_top', value: true };
    await succeed(alice.post('/users/me/subscriptions/properties', { subscription_data: [change] }));
    expect(await phone.hears()).toMatchObject([{ op: 'update', ...change }]);
    expect(await his.hears()).toEqual([]);
  });

  test('a property of a subscription overrides the setting that it inherited, in that channel alone', async () => {
    const { alice } = await realm();
    const ids = [await createChannel(alice, 'one', [alice]), await createChannel(alice, 'two', [alice])];
    const change = { stream_id: ids[0], property: 'desktop_notifications', value: true };
    await succeed(alice.post('/users/me/subscriptions/properties', { subscription_data: [change] }));
    const state = await stateOf(alice, 'subscription', {
      client_capabilities: { notification_settings_null: true },
    });
    const values = ids.map(
      (id) => state.subscriptions.find((one: Json) => one.stream_id === id).desktop_notifications,
    );
    expect(values).toEqual([true, null]);
  });

  test('a folder that channels are in is told to everybody when it is made, and a channel in it says so', async () => {
    const { owner, alice } = await realm();
    const phone = await listenWith(alice, ['channel_folder']);
    const made = await succeed(owner.post('/channel_folders/create', { name: 'Work', description: '' }));
    expect(await phone.hears()).toMatchObject([
      { op: 'add', channel_folder: { id: made.channel_folder_id } },
    ]);
    const id = await createChannel(owner, 'news', [alice], { folder_id: made.channel_folder_id });
    expect((await channelOf(alice, id)).folder_id).toBe(made.channel_folder_id);
  });

  test('defaults of new accounts are told to everybody, and are theirs who come after, not who were there', async () => {
    const { admin, alice, join } = await realm();
    const phone = await listenWith(alice, ['realm_user_settings_defaults']);
    await succeed(admin.patch('/realm/user_settings_defaults', { enter_sends: true }));
    expect(await phone.hears()).toMatchObject([{ op: 'update', property: 'enter_sends', value: true }]);
    const newcomer = await join({ name: 'Newcomer' });
    const sends = async (who: Person) => (await stateOf(who, 'user_settings')).user_settings.enter_sends;
    expect([await sends(newcomer), await sends(alice)]).toEqual([true, false]);
  });

  test('a new domain of addresses is told to everybody, and no other address joins once addresses are restricted', async () => {
    const { owner, alice } = await realm();
    const phone = await listenWith(alice, ['realm_domains']);
    const domain = { domain: 'acme.example', allow_subdomains: false };
    await succeed(owner.post('/realm/domains', domain));
    expect(await phone.hears()).toMatchObject([{ op: 'add', realm_domain: domain }]);
    await succeed(owner.patch('/realm', { emails_restricted_to_domains: true }));
    const invite = async (invitee_emails: string) =>
      (await owner.post('/invites', { invitee_emails, stream_ids: [] })).result;
    expect([await invite('a@other.example'), await invite('a@acme.example')]).toEqual(['error', 'success']);
  });

  test('an invitation is heard of by administrators and by who invited, and by nobody else', async () => {
    const { admin, alice, bob } = await realm();
    const types = ['invites_changed'];
    const phones = await Promise.all([admin, alice, bob].map((one) => listenWith(one, types)));
    await succeed(alice.post('/invites', { invitee_emails: 'new@example.com', stream_ids: [] }));
    const heard = await Promise.all(phones.map(async (phone) => (await phone.hears()).length));
    expect(heard).toEqual([1, 1, 0]);
  });

  test('a bot that is made is told to its owner and to administrators with its key, and to others as an account', async () => {
    const { admin, alice, bob } = await realm();
    const types = ['realm_bot', 'realm_user'];
    const phones = await Promise.all([admin, alice, bob].map((one) => listenWith(one, types)));
    await succeed(alice.post('/bots', { full_name: 'Robot', short_name: 'robot' }));
    const heard = await Promise.all(
      phones.map(async (phone) => (await phone.hears()).map(({ type }) => type).toSorted()),
    );
    expect(heard[1]).toEqual(['realm_bot', 'realm_user']);
    expect(heard[2]).toEqual(['realm_user']);
  });

  test('a setting of the organization is told to everybody, and one that stays is told to nobody', async () => {
    const { owner, guest } = await realm();
    const phone = await listenWith(guest, ['realm']);
    await succeed(owner.patch('/realm', { name: 'Renamed' }));
    await succeed(owner.patch('/realm', { name: 'Renamed' }));
    expect(await phone.hears()).toMatchObject([{ op: 'update', property: 'name', value: 'Renamed' }]);
  });

  test('a deleted message is told to those who have it, and takes its stars along', async () => {
    const { alice, bob, carol } = await realm();
    const id = await tell(alice, [bob]);
    await flag(bob, 'add', 'starred', id);
    const [his, hers] = [await listenWith(bob, ['delete_message']), await carol.listen()];
    await succeed(alice.delete(`/messages/${id}`));
    expect(await his.hears()).toHaveLength(1);
    expect(await hers.hears()).toEqual([]);
    expect((await stateOf(bob, 'starred_messages')).starred_messages).toEqual([]);
  });
});

describe('Resources and their fields', () => {
  test('an upload is its owner’s until it is in a message that somebody may read, and no longer than that', async () => {
    const { alice, bob, carol } = await realm();
    const url = await upload(alice);
    expect([await statusFor(alice, url), await statusFor(bob, url)]).toEqual([200, 403]);
    const id = await tell(alice, [bob], linkTo(url));
    expect([await statusFor(bob, url), await statusFor(carol, url)]).toEqual([200, 403]);
    await succeed(alice.patch(`/messages/${id}`, { content: 'nothing' }));
    expect(await statusFor(bob, url)).toBe(403);
  });

  test('an upload lists the messages that refer to it, with times in milliseconds', async () => {
    const { alice, bob } = await realm();
    const url = await upload(alice);
    const phone = await listenWith(alice, ['attachment']);
    const ids = [await tell(alice, [bob], linkTo(url)), await tell(bob, [alice], linkTo(url))];
    const [{ messages, create_time }] = (await alice.get('/attachments')).attachments;
    expect(messages.map(({ id }: Json) => id)).toEqual(ids);
    for (const time of [create_time, messages[0].date_sent]) expect(time % 1000).toBe(0);
    expect((await phone.hears()).map(({ attachment }) => attachment.messages.length)).toEqual([1, 2]);
  });

  test('an upload that its owner deletes is gone for everybody', async () => {
    const { alice, bob } = await realm();
    const url = await upload(alice);
    await tell(alice, [bob], linkTo(url));
    const [{ id }] = (await alice.get('/attachments')).attachments;
    expect((await bob.delete(`/attachments/${id}`)).result).toBe('error');
    await succeed(alice.delete(`/attachments/${id}`));
    expect([await statusFor(alice, url), await statusFor(bob, url)]).toEqual([404, 404]);
  });

  test('a channel that is renamed is the same channel, and its messages have its new name', async () => {
    const { alice, bob } = await realm();
    const news = await createChannel(alice, 'news', [alice, bob]);
    const id = await say(alice, news);
    const phone = await listenWith(bob, ['stream']);
    await succeed(alice.patch(`/streams/${news}`, { new_name: 'olds' }));
    expect(await phone.hears()).toMatchObject([{ op: 'update', property: 'name', value: 'olds' }]);
    expect(await shown(bob, id)).toMatchObject({ stream_id: news, display_recipient: 'olds' });
  });
});
