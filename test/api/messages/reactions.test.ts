import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  type TestRealm,
  addEmoji,
  channelId,
  done,
  emptyChannel,
  realm,
  recodeReactions,
  refused,
  say,
  subscribe,
  succeed,
  tell,
  uploadEmoji,
} from '../../support/index.ts';

const react = (who: Person, messageId: number, emoji_name: string, more: object = {}) =>
  who.post(`/messages/${messageId}/reactions`, { emoji_name, ...more });
const unreact = (who: Person, messageId: number, params: object) =>
  who.delete(`/messages/${messageId}/reactions`, { ...params });

const reactionsOf = async (who: Person, messageId: number): Promise<Json[]> =>
  (await who.get(`/messages/${messageId}`)).message.reactions;

const bad = (msg: string) => ['BAD_REQUEST', msg];
const unreadable = refused('These messages do not exist, or you do not have access to them.');

/** Who of everyone heard a reaction come. */
async function hearersOf(people: TestRealm, act: () => Promise<unknown>): Promise<string[]> {
  const names = ['owner', 'admin', 'moderator', 'alice', 'bob', 'carol', 'guest', 'bot'] as const;
  const listeners = await Promise.all(
    names.map((name) => people[name].listen({ event_types: ['reaction'] })),
  );
  await act();
  const heard = await Promise.all(listeners.map((listener) => listener.hears()));
  return names.filter((_, index) => (heard[index]?.length ?? 0) > 0);
}

describe('POST /messages/{message_id}/reactions', () => {
  test('adds the reaction, and tells everyone in a direct conversation', async () => {
    const people = await realm();
    const { alice, bob, carol } = people;
    const id = await tell(alice, [bob]);
    const phone = await alice.listen();
    const stranger = await carol.listen();

    expect(await react(bob, id, 'thumbs_up')).toEqual(done);

    const reaction = {
      emoji_name: 'thumbs_up',
      emoji_code: '1f44d',
      reaction_type: 'unicode_emoji',
      user_id: bob.id,
    };
    expect(await phone.hears()).toEqual([
      {
        id: expect.any(Number),
        type: 'reaction',
        op: 'add',
        message_id: id,
        ...reaction,
        user: { user_id: bob.id, email: bob.email, full_name: 'Bob' },
      },
    ]);
    expect(await stranger.hears()).toEqual([]);
    expect(await reactionsOf(alice, id)).toEqual([reaction]);
    const { messages } = await alice.get('/messages', { anchor: 'newest', num_before: 1 });
    expect(messages[0].reactions).toEqual([reaction]);
  });

  test('keeps the order of adding, and the name that the first one gave', async () => {
    const { alice, bob, carol } = await realm();
    await subscribe(alice, 'news', [alice, bob, carol]);
    const id = await say(alice, 'news');
    await react(carol, id, 'heart');
    await react(bob, id, '+1');
    await react(alice, id, 'thumbs_up');
    await react(alice, id, 'love');
    const named = (await reactionsOf(alice, id)).map((one) => [one.user_id, one.emoji_name]);
    expect(named).toEqual([
      [carol.id, 'heart'],
      [bob.id, '+1'],
      [alice.id, '+1'],
      [alice.id, 'heart'],
    ]);
  });

  test('reacting with the same emoji twice is refused, whatever it is called', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob]);
    await react(bob, id, 'thumbs_up');
    const phone = await alice.listen();
    for (const name of ['thumbs_up', '+1']) {
      expect(await react(bob, id, name)).toEqual({
        result: 'error',
        code: 'REACTION_ALREADY_EXISTS',
        msg: 'You have already reacted with this emoji.',
      });
    }
    expect(await phone.hears()).toEqual([]);
  });

  test('many people at once each react once, and are listed as they were heard', async () => {
    const { owner, admin, moderator, alice, bob, carol, guest, bot } = await realm();
    const everyone = [owner, admin, moderator, alice, bob, carol, guest, bot];
    await subscribe(alice, 'news', everyone);
    const id = await say(alice, 'news');
    const phone = await alice.listen({ event_types: ['reaction'] });

    const replies = await Promise.all(
      everyone.flatMap((who) => [react(who, id, 'tada'), react(who, id, 'tada')]),
    );

    expect(replies.filter(({ code }) => code === 'REACTION_ALREADY_EXISTS')).toHaveLength(everyone.length);
    const heard = (await phone.hears()).map(({ user_id }) => user_id);
    expect(heard).toHaveLength(everyone.length);
    expect((await reactionsOf(alice, id)).map(({ user_id }) => user_id)).toEqual(heard);
  });

  test('takes custom emoji and the server’s own, whose type has two names', async () => {
    const people = await realm();
    const { alice, bob } = people;
    const emojiId = await uploadEmoji(people, 'logo');
    const id = await tell(alice, [bob]);
    expect(await react(bob, id, 'logo')).toEqual(done);
    expect(
      await react(alice, id, 'zulip', { emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }),
    ).toEqual(done);
    expect(await react(bob, id, 'zulip', { reaction_type: 'svc_extra_emoji' })).toEqual(done);
    expect((await reactionsOf(alice, id)).map((one) => [one.emoji_code, one.reaction_type])).toEqual([
      [String(emojiId), 'realm_emoji'],
      ['zulip', 'svc_extra_emoji'],
      ['zulip', 'svc_extra_emoji'],
    ]);
  });

  test('joins one that is there, whatever has become of its emoji since', async () => {
    const people = await realm();
    const { alice, bob } = people;
    const emojiId = await uploadEmoji(people, 'logo');
    const id = await tell(alice, [bob]);
    await react(bob, id, 'logo');
    await succeed(alice.delete('/realm/emoji/logo'));

    const full = { emoji_code: String(emojiId), reaction_type: 'realm_emoji' };
    expect((await react(alice, id, 'logo')).msg).toBe("There is no emoji called 'logo'.");
    expect(await react(alice, id, 'anything', full)).toEqual(done);
    expect((await reactionsOf(alice, id)).map(({ emoji_name }) => emoji_name)).toEqual(['logo', 'logo']);
    const other = await tell(alice, [bob]);
    expect((await react(alice, other, 'logo', full)).msg).toBe('This custom emoji is deactivated.');
  });

  test('refuses what is no emoji', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob]);
    const refusal = async (name: string, more: object = {}) => {
      const { code, msg } = await react(bob, id, name, more);
      return [code, msg];
    };
    expect(await refusal('no_such')).toEqual(bad("There is no emoji called 'no_such'."));
    expect(await refusal('tada', { emoji_code: 'zzz' })).toEqual(bad('There is no emoji with this code.'));
    expect(await refusal('tada', { emoji_code: '1f44d' })).toEqual(bad('This emoji has another name.'));
    expect(await refusal('tada', { reaction_type: 'x' })).toEqual(bad('There is no such type of emoji.'));
    expect(await refusal('tada', { reaction_type: 'realm_emoji' })).toEqual(
      bad('This custom emoji does not exist.'),
    );
  });

  test('is for whoever may read the message', async () => {
    const people = await realm();
    const { owner, admin, moderator, alice, bob, carol, guest } = people;
    const stranger = (await realm()).owner;
    await subscribe(alice, 'open');
    await subscribe(alice, 'closed', [alice, guest], { invite_only: true });
    await subscribe(alice, 'sealed', [alice, bob], {
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const open = await say(alice, 'open');
    const closed = await say(alice, 'closed');
    const sealed = await say(alice, 'sealed');
    await subscribe(alice, 'sealed', [carol]);
    const direct = await tell(alice, [bob]);

    const may = [
      [open, owner, admin, moderator, alice, bob, carol],
      [closed, alice, guest],
      [sealed, alice, bob],
      [direct, alice, bob],
    ] as const;
    for (const [id, ...readers] of may) {
      for (const who of [owner, admin, moderator, alice, bob, carol, guest, stranger]) {
        const isReader = readers.some((reader) => reader.id === who.id);
        expect(await react(who, id, 'tada'), `${who.name} ${id}`).toEqual(isReader ? done : unreadable);
      }
    }
    for (const id of [0, Number.MAX_SAFE_INTEGER]) expect(await react(alice, id, 'tada')).toEqual(unreadable);
  });

  test('makes the topic followed, or unmuted in a muted channel, for whoever wants that', async () => {
    const { alice, bob, carol } = await realm();
    await subscribe(alice, 'news', [alice, bob, carol]);
    const id = await say(alice, 'news');
    const direct = await tell(alice, [bob]);
    await bob.patch('/settings', { automatically_follow_topics_policy: 1 });
    const phone = await bob.listen();
    await react(bob, direct, 'tada');
    await react(bob, id, 'tada');
    await react(bob, id, 'heart');
    expect((await phone.hears()).map(({ type, visibility_policy }) => [type, visibility_policy])).toEqual([
      ['reaction', undefined],
      ['muted_topics', undefined],
      ['user_topic', 3],
      ['reaction', undefined],
      ['reaction', undefined],
    ]);

    await carol.patch('/settings', { automatically_unmute_topics_in_muted_streams_policy: 1 });
    const other = await carol.listen({ event_types: ['user_topic'] });
    await react(carol, id, 'tada');
    const news = await channelId(carol, 'news');
    await succeed(carol.patch(`/users/me/subscriptions/${news}`, { property: 'is_muted', value: true }));
    await react(carol, id, 'heart');
    expect((await other.hears()).map(({ visibility_policy }) => visibility_policy)).toEqual([2]);
  });

  test('is refused in an archived channel', async () => {
    const { owner, alice } = await realm();
    const channel = await emptyChannel(alice, 'news');
    const id = await say(alice, channel);
    await react(alice, id, 'tada');
    await succeed(owner.delete(`/streams/${channel}`));
    expect(await react(alice, id, 'heart')).toEqual(unreadable);
    expect(await unreact(alice, id, { emoji_name: 'tada' })).toEqual(unreadable);
  });
});

describe('a reaction is heard', () => {
  test('a reaction in a public channel is heard by its subscribers, and by whoever received the message', async () => {
    const people = await realm();
    const { alice, bob, carol, guest } = people;
    await subscribe(alice, 'news', [alice, guest]);
    const id = await say(alice, 'news');
    await subscribe(alice, 'news', [bob]);
    expect(await hearersOf(people, () => react(carol, id, 'tada'))).toEqual(['alice', 'bob', 'guest']);
  });

  test('a reaction in a private channel with shared history is heard by its subscribers', async () => {
    const people = await realm();
    const { alice, bob, carol } = people;
    await subscribe(alice, 'closed', [alice, bob], {
      invite_only: true,
      history_public_to_subscribers: true,
    });
    const id = await say(alice, 'closed');
    await subscribe(alice, 'closed', [carol]);
    expect(await hearersOf(people, () => react(bob, id, 'tada'))).toEqual(['alice', 'bob', 'carol']);
  });

  test('a reaction in a channel with protected history is heard by the subscribers who received the message', async () => {
    const people = await realm();
    const { alice, bob, carol, guest } = people;
    await subscribe(alice, 'sealed', [alice, bob], {
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const id = await say(alice, 'sealed');
    await subscribe(alice, 'sealed', [carol, guest]);
    expect(await hearersOf(people, () => react(bob, id, 'tada'))).toEqual(['alice', 'bob']);
  });

  test('a reaction is heard in the channel that the message is in now', async () => {
    const people = await realm();
    const { alice, bob, carol } = people;
    await subscribe(alice, 'before', [alice, bob]);
    const after = await emptyChannel(alice, 'after', [alice, carol], {
      invite_only: true,
      history_public_to_subscribers: true,
    });
    const id = await say(alice, 'before');
    await succeed(alice.patch(`/messages/${id}`, { stream_id: after }));
    expect(await react(bob, id, 'tada')).toEqual(unreadable);
    expect(await hearersOf(people, () => react(carol, id, 'tada'))).toEqual(['alice', 'carol']);
  });

  test('a reaction in a private channel is also heard by whoever may read it and is subscribed where the message was', async () => {
    const people = await realm();
    const { owner, alice, bob } = people;
    await subscribe(owner, 'before', [owner, alice, bob]);
    const after = await emptyChannel(owner, 'after', [owner], {
      invite_only: true,
      history_public_to_subscribers: true,
    });
    const admitted = { direct_members: [bob.id], direct_subgroups: [] };
    await succeed(owner.patch(`/streams/${after}`, { can_subscribe_group: { new: admitted } }));
    const id = await say(owner, 'before');
    await succeed(owner.patch(`/messages/${id}`, { stream_id: after }));
    expect(await hearersOf(people, () => react(owner, id, 'tada'))).toEqual(['owner', 'bob']);
  });
});

describe('DELETE /messages/{message_id}/reactions', () => {
  test('removes the caller’s own, and tells of it by the name under which it was added', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob]);
    await react(bob, id, 'thumbs_up');
    await react(alice, id, 'thumbs_up');
    const phone = await alice.listen();

    expect(await unreact(bob, id, { emoji_name: '+1' })).toEqual(done);

    expect(await phone.hears()).toMatchObject([
      { type: 'reaction', op: 'remove', message_id: id, user_id: bob.id, emoji_name: 'thumbs_up' },
    ]);
    expect((await reactionsOf(alice, id)).map(({ user_id }) => user_id)).toEqual([alice.id]);
    expect(await unreact(bob, id, { emoji_name: '+1' })).toEqual({
      result: 'error',
      code: 'REACTION_DOES_NOT_EXIST',
      msg: 'You have not reacted with this emoji.',
    });
  });

  test('finds it by code alone, whatever its type and however its emoji is called now', async () => {
    const people = await realm();
    const { alice, bob } = people;
    const emojiId = await uploadEmoji(people, 'logo');
    const id = await tell(alice, [bob]);
    await react(bob, id, 'logo');
    await react(bob, id, 'tada');
    await recodeReactions(alice, id, '1f389', 'a-former-code');

    expect(await unreact(bob, id, { emoji_code: String(emojiId) })).toEqual(done);
    expect(await unreact(bob, id, { emoji_code: 'a-former-code', emoji_name: 'anything' })).toEqual(done);
    expect(await reactionsOf(alice, id)).toEqual([]);
  });

  test('finds one with a deactivated custom emoji by name alone, after one with what the name stands for now', async () => {
    const people = await realm();
    const { alice, bob } = people;
    const id = await tell(alice, [bob]);
    const kept = [];
    for (const _ of ['first', 'second']) {
      await uploadEmoji(people, 'tada');
      await react(bob, id, 'tada');
      await succeed(alice.delete('/realm/emoji/tada'));
      kept.unshift((await reactionsOf(alice, id)).at(-1));
    }
    await react(bob, id, 'tada');
    const phone = await alice.listen({ event_types: ['reaction'] });

    const outcomes = [];
    for (let count = 0; count < 4; count += 1) {
      outcomes.push((await unreact(bob, id, { emoji_name: 'tada' })).code ?? 'ok');
    }

    expect(outcomes).toEqual(['ok', 'ok', 'ok', 'REACTION_DOES_NOT_EXIST']);
    const removed = (await phone.hears()).map(({ op, emoji_code }) => [op, emoji_code]);
    expect(removed).toEqual(['1f389', ...kept.map((one) => one?.emoji_code)].map((code) => ['remove', code]));
  });

  test('tells a custom emoji from a code point of the same number', async () => {
    const people = await realm();
    const { alice, bob } = people;
    await addEmoji(people, { id: 2764, name: 'logo' });
    const id = await tell(alice, [bob]);
    await react(bob, id, 'heart');
    await react(bob, id, 'logo');
    await unreact(bob, id, { emoji_code: '2764', emoji_name: 'logo' });
    expect((await reactionsOf(alice, id)).map(({ emoji_name }) => emoji_name)).toEqual(['heart']);
    await react(bob, id, 'logo');
    await unreact(bob, id, { emoji_code: '2764', reaction_type: 'unicode_emoji' });
    expect((await reactionsOf(alice, id)).map(({ emoji_name }) => emoji_name)).toEqual(['logo']);
  });

  test('refuses what is no emoji, and what names none', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob]);
    const refusal = async (params: object) => {
      const { code, msg } = await unreact(bob, id, params);
      return [code, msg];
    };
    expect(await refusal({})).toEqual(bad('Send at least one of these parameters: emoji_name, emoji_code.'));
    expect(await refusal({ emoji_name: 'no_such' })).toEqual(bad("There is no emoji called 'no_such'."));
    expect(await refusal({ emoji_code: 'zzz' })).toEqual(bad('There is no emoji with this code.'));
    expect(await refusal({ emoji_code: '1f44d', reaction_type: 'x' })).toEqual(
      bad('There is no such type of emoji.'),
    );
    expect((await refusal({ emoji_code: '1f44d' }))[0]).toBe('REACTION_DOES_NOT_EXIST');
  });
});
