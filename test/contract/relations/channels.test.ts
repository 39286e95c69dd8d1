import { describe, expect, test } from 'vitest';

import {
  type Params,
  type Person,
  type TestRealm,
  channelOf,
  createChannel,
  createGroup,
  emptyChannel,
  letSpectatorsIn,
  outcomeOf,
  people,
  permit,
  realm,
  say,
  setTopicsPolicy,
  succeed,
} from '../../support/index.ts';
import { heardOf, listenWith, messagesHeard, shown, stateOf } from './heard.ts';

const create = (by: Person, params: Params) => by.post('/channels/create', { subscribers: [], ...params });
const send = async (by: Person, to: number, topic = 't') =>
  outcomeOf(await by.post('/messages', { type: 'channel', to, topic, content: 'x' }));

/** What a permission of a channel allows, done by somebody; whether it succeeded. */
type Attempt = (
  by: Person,
  of: { all: TestRealm; channel: number; other: number; id: number },
) => Promise<boolean>;
const succeeds = async (reply: Promise<Record<string, unknown>>) => (await reply)['result'] === 'success';

const attempts: [string, Attempt][] = [
  [
    'can_add_subscribers_group',
    (by, { all }) =>
      succeeds(
        by.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'news' }],
          principals: [all.guest.id],
          authorization_errors_fatal: true,
        }),
      ),
  ],
  [
    'can_remove_subscribers_group',
    (by, { all }) =>
      succeeds(by.delete('/users/me/subscriptions', { subscriptions: ['news'], principals: [all.admin.id] })),
  ],
  [
    'can_administer_channel_group',
    (by, { channel }) => succeeds(by.patch(`/streams/${channel}`, { description: 'new' })),
  ],
  ['can_delete_any_message_group', (by, { id }) => succeeds(by.delete(`/messages/${id}`))],
  [
    'can_delete_own_message_group',
    async (by, { channel }) => await succeeds(by.delete(`/messages/${await say(by, channel)}`)),
  ],
  [
    'can_move_messages_out_of_channel_group',
    (by, { id, other }) => succeeds(by.patch(`/messages/${id}`, { stream_id: other })),
  ],
  [
    'can_move_messages_within_channel_group',
    (by, { id }) => succeeds(by.patch(`/messages/${id}`, { topic: 'moved' })),
  ],
  ['can_send_message_group', async (by, { channel }) => (await send(by, channel)) === 'ok'],
];

describe('4.8 POST /channels/create', () => {
  test.each(attempts)(
    '%s of a channel lets its holder do it there, and nobody like them',
    async (name, attempt) => {
      const all = await realm();
      const { owner, admin, alice, bob, carol } = all;
      // What the organization permits to members would hide what the channel does.
      const permitted = [
        'can_add_subscribers_group',
        'can_delete_any_message_group',
        'can_delete_own_message_group',
        'can_move_messages_between_channels_group',
        'can_move_messages_between_topics_group',
      ];
      for (const permission of permitted) await permit(all, permission, 'role:owners');
      const news = [owner, admin, alice, bob, carol];
      const channel = await createChannel(owner, 'news', news, { [name]: people(bob) });
      const other = await createChannel(owner, 'other', news);
      const id = await say(name === 'can_send_message_group' ? bob : alice, channel);
      const of = { all, channel, other, id };
      expect([await attempt(carol, of), await attempt(bob, of)]).toEqual([false, true]);
    },
  );

  test.each([
    ['name', 'max_stream_name_length'],
    ['description', 'max_stream_description_length'],
  ])('a %s as long as %s is taken, and one that is longer is refused', async (name, limit) => {
    const { alice } = await realm();
    const { [limit]: max } = await stateOf(alice, 'realm');
    const made = (length: number) => create(alice, { name: `n${length}`, [name]: 'é'.repeat(length) });
    expect(outcomeOf(await made(max))).toBe('ok');
    expect(await made(max + 1)).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('a private channel is heard of by its subscribers, and unknown to others', async () => {
    const { alice, bob, carol } = await realm();
    const [his, hers] = [await listenWith(bob, ['stream']), await listenWith(carol, ['stream'])];
    const secret = await createChannel(alice, 'secret', [bob], { invite_only: true });
    expect(await his.hears()).toMatchObject([{ op: 'create', streams: [{ stream_id: secret }] }, {}]);
    expect(await hers.hears()).toEqual([]);
    expect(await channelOf(carol, secret)).toBeUndefined();
  });

  test('whoever makes a channel is in it only where they are listed, and is its creator anyway', async () => {
    const { alice, bob } = await realm();
    const id = await createChannel(alice, 'news', [bob]);
    expect(await channelOf(bob, id)).toMatchObject({ creator_id: alice.id, subscriber_count: 1 });
    expect((await stateOf(alice, 'subscription')).subscriptions).toEqual([]);
  });

  test('a new channel comes before the subscription to it, and others hear who is in it', async () => {
    const { alice, bob, carol } = await realm();
    const types = ['stream', 'subscription'];
    const [his, hers] = [await listenWith(bob, types), await listenWith(carol, types)];
    await createChannel(alice, 'news', [bob]);
    const kinds = async (phone: typeof his) => (await phone.hears()).map(({ op }) => op).slice(0, 2);
    expect(await kinds(his)).toEqual(['create', 'add']);
    expect(await kinds(hers)).toEqual(['create', 'peer_add']);
  });

  test('a web-public channel needs an organization that lets spectators in, and the permission to make one', async () => {
    const all = await realm();
    const { owner, alice } = all;
    const make = async (by: Person, name: string) =>
      outcomeOf(await create(by, { name, is_web_public: true }));
    expect(await make(owner, 'early')).not.toBe('ok');
    await letSpectatorsIn(all);
    expect(await make(alice, 'hers')).not.toBe('ok');
    expect(await make(owner, 'open')).toBe('ok');
  });

  test('whoever is new is in the default channels', async () => {
    const { owner, join } = await realm();
    const id = await createChannel(owner, 'default', [], { is_default_stream: true });
    const newcomer = await join({ name: 'Newcomer' });
    const { subscriptions } = await stateOf(newcomer, 'subscription');
    expect(subscriptions).toMatchObject([{ stream_id: id }]);
  });

  test.each([
    ['disable_empty_topic', '', false],
    ['disable_empty_topic', 't', true],
    ['empty_topic_only', '', true],
    ['empty_topic_only', 't', false],
    ['allow_empty_topic', '', true],
  ])('a channel with %s takes a message in the topic “%s”: %s', async (policy, topic, isTaken) => {
    const { alice } = await realm();
    const id = await createChannel(alice, 'news', [alice], { topics_policy: policy });
    expect((await send(alice, id, topic)) === 'ok').toBe(isTaken);
  });

  test('a channel that has messages in other topics cannot be for the empty topic alone', async () => {
    const { owner } = await realm();
    const id = await emptyChannel(owner, 'news');
    await say(owner, id, 't');
    const change = () => owner.patch(`/streams/${id}`, { topics_policy: 'empty_topic_only' });
    expect(await change()).toMatchObject({ result: 'error' });
    const empty = await emptyChannel(owner, 'other');
    await say(owner, empty, '');
    const other = await owner.patch(`/streams/${empty}`, { topics_policy: 'empty_topic_only' });
    expect(outcomeOf(other)).toBe('ok');
  });

  test('a topic that a channel takes no messages in takes none that are moved there either', async () => {
    const { alice } = await realm();
    const news = await emptyChannel(alice, 'news');
    const id = await say(alice, news, 't');
    await setTopicsPolicy(news, 'disable_empty_topic');
    expect((await alice.patch(`/messages/${id}`, { topic: '' })).result).toBe('error');
    expect((await shown(alice, id)).subject).toBe('t');
  });

  test('a channel is announced only where it is asked for', async () => {
    const { owner, alice } = await realm();
    const announcements = await emptyChannel(owner, 'new');
    await succeed(owner.patch('/realm', { new_stream_announcements_stream_id: announcements }));
    const phone = await owner.listen();
    await create(alice, { name: 'quiet' });
    expect(await messagesHeard(phone)).toEqual([]);
    await create(alice, { name: 'loud', announce: true });
    expect(await messagesHeard(phone)).toMatchObject([{ stream_id: announcements }]);
  });

  test.each([
    [false, false],
    [true, true],
  ])(
    'new members of a private channel with shared history %s read what was said before: %s',
    async (isShared) => {
      const { owner, alice, bob } = await realm();
      const kind = { invite_only: true, history_public_to_subscribers: isShared };
      const secret = await createChannel(owner, 'secret', [owner, alice], kind);
      const id = await say(alice, secret);
      await succeed(
        owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], principals: [bob.id] }),
      );
      expect((await shown(bob, id)) !== undefined).toBe(isShared);
    },
  );

  test('a permission that is a group is held by the members of its subgroups, too', async () => {
    const { alice, bob, carol } = await realm();
    const inner = await createGroup(alice, 'inner', [bob]);
    const outer = await createGroup(alice, 'outer', [], { subgroups: [inner] });
    const id = await createChannel(alice, 'news', [bob, carol], { can_send_message_group: outer });
    expect([await send(bob, id), await send(carol, id)]).toEqual([
      'ok',
      expect.stringContaining('permission'),
    ]);
  });

  test('a permission that lists one group and nobody else is that group', async () => {
    const { alice } = await realm();
    const group = await createGroup(alice, 'group');
    const listed = { direct_members: [], direct_subgroups: [group] };
    const id = await createChannel(alice, 'news', [alice], { can_send_message_group: listed });
    expect((await channelOf(alice, id)).can_send_message_group).toBe(group);
  });

  test.each([
    ['a time to keep messages', { message_retention_days: 30 }],
    ['a folder that does not exist', { folder_id: 2_000_000_000 }],
    ['a subscriber who does not exist', { subscribers: [2_000_000_000] }],
    ['a permission for a group that does not exist', { can_send_message_group: 2_000_000_000 }],
  ])('a member makes no channel with %s', async (_, params) => {
    const { alice, bob } = await realm();
    const phone = await listenWith(bob, ['stream']);
    expect((await create(alice, { name: 'news', ...params })).result).toBe('error');
    expect(await phone.hears()).toEqual([]);
  });
});

describe('4.9 PATCH /users/me/subscriptions/muted_topics', () => {
  const mute = (by: Person, params: Params) =>
    by.patch('/users/me/subscriptions/muted_topics', { topic: 't', op: 'add', ...params });

  test.each([
    ['both an id and a name', (id: number) => ({ stream_id: id, stream: 'news' })],
    ['neither an id nor a name', () => ({})],
  ])('a channel with %s is refused, and nothing is muted', async (_, paramsOf) => {
    const { alice } = await realm();
    const id = await createChannel(alice, 'news');
    expect((await mute(alice, paramsOf(id))).result).toBe('error');
    expect((await stateOf(alice, 'user_topic')).user_topics).toEqual([]);
  });

  test.each(['add', 'remove'])(
    '%s succeeds twice, in a topic without messages, and is told once',
    async (op) => {
      const { alice } = await realm();
      const id = await createChannel(alice, 'news');
      if (op === 'remove') await succeed(mute(alice, { stream_id: id }));
      const phone = await listenWith(alice, ['user_topic']);
      for (let times = 0; times < 2; times += 1) await succeed(mute(alice, { stream_id: id, op }));
      expect(await phone.hears()).toMatchObject([{ visibility_policy: op === 'add' ? 1 : 0 }]);
    },
  );

  test('a topic is muted whatever its letters, for its user alone', async () => {
    const { alice, bob } = await realm();
    const id = await createChannel(alice, 'news', [alice, bob]);
    await say(alice, id, 'Lunch');
    const his = await listenWith(bob, ['user_topic', 'muted_topics']);
    await succeed(mute(alice, { stream: 'NEWS', topic: 'lUNCH' }));
    expect((await stateOf(alice, 'user_topic')).user_topics).toMatchObject([{ topic_name: 'Lunch' }]);
    expect((await stateOf(bob, 'user_topic')).user_topics).toEqual([]);
    expect(await his.hears()).toEqual([]);
  });

  test('a topic of the greatest length is muted, and one that is longer is refused', async () => {
    const { alice } = await realm();
    const id = await createChannel(alice, 'news');
    const { max_topic_length: max } = await stateOf(alice, 'realm');
    const outcome = async (length: number) =>
      outcomeOf(await mute(alice, { stream_id: id, topic: '字'.repeat(length) }));
    expect(await outcome(max)).toBe('ok');
    expect(await outcome(max + 1)).not.toBe('ok');
  });

  test('a mute by this endpoint is the policy of the newer one, whose event is sent as well', async () => {
    const { alice } = await realm();
    const id = await createChannel(alice, 'news');
    const phone = await alice.listen();
    await succeed(mute(alice, { stream_id: id }));
    expect((await heardOf(phone, 'user_topic')).map(({ visibility_policy }) => visibility_policy)).toEqual([
      1,
    ]);
    expect((await stateOf(alice, 'muted_topics')).muted_topics).toMatchObject([
      ['news', 't', expect.any(Number)],
    ]);
  });
});
