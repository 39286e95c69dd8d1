import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  addRemovals,
  type Person,
  type PushServices,
  type TestRealm,
  notify,
  pendingFor,
  realm,
  say,
  setLastSeen,
  startPushServices,
  subscribe,
  succeed,
  tell,
} from '../support/index.ts';

let services: PushServices;
let home: TestRealm;
beforeAll(async () => {
  services = await startPushServices();
});
afterAll(() => services[Symbol.asyncDispose]());
beforeEach(async () => {
  home = await realm();
  // A realm is looked at from the end of its log on.
  await run();
});
afterEach(() => {
  services.fcm.length = 0;
  services.apns.length = 0;
});

/** What workers do, as they would do it some time from now, or from another moment. */
const run = (laterSeconds = 0, fromMs = Date.now()) =>
  notify({ push: services.client, clock: { nowMs: () => fromMs + laterSeconds * 1000 } });

const tokenOf = ({ id }: Person) => `phone-${id}`;
const register = (...people: Person[]) =>
  Promise.all(
    people.map((who) => succeed(who.post('/users/me/android_gcm_reg_id', { token: tokenOf(who) }))),
  );

/** What a person's phone was told since the test began: messages by their ids, with `-` what it was to remove. */
const phoneOf = (who: Person): string[] =>
  services.fcm
    .filter(({ token }) => token === tokenOf(who))
    .map(({ body: { data } }) =>
      data.event === 'remove' ? `-${data.zulip_message_ids}` : data.zulip_message_id,
    );

const read = (who: Person, ...messages: number[]) =>
  succeed(who.post('/messages/flags', { messages, op: 'add', flag: 'read' }));

describe('a direct message', () => {
  test('is pushed to those who got it, in the form that apps know, once', async () => {
    const { alice, bob, carol } = home;
    await register(alice, bob, carol);
    await succeed(bob.post('/users/me/apns_device_token', { token: 'b0b', appid: 'org.example.app' }));
    const id = await tell(alice, [bob], 'Hello **you** :tada:');
    await run();
    await run();
    const account = { server: alice.realm.host, realm_url: alice.realm.url, realm_uri: alice.realm.url };
    expect(services.fcm).toHaveLength(1);
    expect(services.fcm[0]?.body).toEqual({
      token: tokenOf(bob),
      android: { priority: 'HIGH', ttl: '86400s' },
      data: {
        ...account,
        realm_id: `${alice.realm.id}`,
        realm_name: expect.any(String),
        user_id: `${bob.id}`,
        event: 'message',
        sender_id: `${alice.id}`,
        sender_email: alice.email,
        sender_full_name: 'Alice',
        sender_avatar_url: expect.stringMatching(/^https?:/),
        time: expect.stringMatching(/^\d+$/),
        recipient_type: 'private',
        zulip_message_id: `${id}`,
        content: 'Hello you 🎉',
        content_truncated: 'false',
      },
    });
    expect(services.apns).toHaveLength(1);
    expect(services.apns[0]?.headers['apns-collapse-id']).toBe(`${alice.realm.id}-${id}`);
    expect(services.apns[0]?.body).toMatchObject({
      aps: { alert: { title: 'Alice', body: 'Hello you 🎉' }, sound: 'default' },
      zulip: { ...account, user_id: bob.id, recipient_type: 'private', message_ids: [id] },
    });
    expect(await pendingFor(bob)).toEqual([]);
  });

  test('a direct message to several people names them all', async () => {
    const { alice, bob, carol } = home;
    await register(bob);
    await tell(alice, [bob, carol], 'x'.repeat(300));
    await run();
    const people = [alice.id, bob.id, carol.id].sort((a, b) => a - b).join(',');
    expect(services.fcm[0]?.body.data).toMatchObject({
      pm_users: people,
      content: `${'x'.repeat(200)}…`,
      content_truncated: 'true',
    });
  });

  test('what a phone says beside a message is in the language of its owner', async () => {
    const { alice, bob } = home;
    await subscribe(alice, 'news', [alice, bob]);
    await succeed(bob.patch('/settings', { default_language: 'de' }));
    await succeed(bob.post('/users/me/apns_device_token', { token: 'b0b', appid: 'org.example.app' }));
    await say(alice, 'news', 'lunch', '@**Bob** soup');
    await run();
    expect(services.apns[0]?.body).toMatchObject({
      aps: {
        alert: { title: '#news > lunch', subtitle: 'Alice hat dich erwähnt:', body: '@Bob soup' },
      },
    });
  });

  test('is not pushed to whoever has read it, mutes its sender or wants none', async () => {
    const { alice, bob, carol, moderator, owner } = home;
    await register(bob, carol, moderator, owner);
    await succeed(carol.post(`/users/me/muted_users/${alice.id}`));
    await succeed(moderator.patch('/settings', { enable_offline_push_notifications: false }));
    const id = await tell(alice, [bob, carol, moderator, owner], 'hey');
    await read(bob, id);
    await run();
    expect([phoneOf(bob), phoneOf(carol), phoneOf(moderator), phoneOf(owner)]).toEqual([
      [],
      [],
      [],
      [`${id}`],
    ]);
  });

  test('is removed from phones when it is read elsewhere, or deleted', async () => {
    const { alice, bob, carol } = home;
    await register(bob, carol);
    const ids = [await tell(alice, [bob, carol]), await tell(alice, [bob, carol]), await tell(alice, [bob])];
    await run();
    await read(bob, ids[0] ?? 0, ids[2] ?? 0);
    await run();
    await succeed(alice.delete(`/messages/${ids[1]}`));
    await run();
    await run();
    const pushed = ids.map(String);
    expect(phoneOf(bob)).toEqual([...pushed, `-${ids[0]},${ids[2]}`, `-${ids[1]}`]);
    expect(phoneOf(carol)).toEqual([...pushed.slice(0, 2), `-${ids[1]}`]);
    expect(services.fcm.at(-1)?.body.android.priority).toBe('NORMAL');
  });

  test('is removed together with others, no more at once than a service takes', async () => {
    const { bob } = home;
    await register(bob);
    await addRemovals(bob, 450);
    for (let round = 0; round < 3; round += 1) await run();
    expect(phoneOf(bob).map((ids) => ids.split(',').length)).toEqual([200, 200, 50]);
    for (const { body } of services.fcm) expect(JSON.stringify(body.data).length).toBeLessThan(4096);
  });

  test('says nothing of itself where notifications have to be encrypted', async () => {
    const { owner, alice, bob } = home;
    await register(bob);
    await succeed(owner.patch('/realm', { require_e2ee_push_notifications: true }));
    await tell(alice, [bob], 'secret');
    await run();
    expect(services.fcm).toHaveLength(1);
    expect(JSON.stringify(services.fcm[0]?.body)).not.toMatch(/secret|Alice|alice@/);
  });
});

describe('whoever is active', () => {
  const isActive = (who: Person) => succeed(who.post('/users/me/presence', { status: 'active' }));

  test('is notified at once, unless they want to be only when they are away', async () => {
    const { alice, bob, carol } = home;
    await register(bob, carol);
    await succeed(carol.patch('/settings', { enable_online_push_notifications: false }));
    // By this clock nobody is away for longer than it says, however long the requests take.
    const startMs = Date.now();
    for (const who of [bob, carol]) await isActive(who);
    const ids = [await tell(alice, [bob, carol]), await tell(alice, [bob, carol])] as const;
    await run(0, startMs);
    expect([phoneOf(bob), phoneOf(carol)]).toEqual([ids.map(String), []]);
    await read(carol, ids[0]);
    // She is still there when it would be due.
    await run(199, startMs);
    expect(phoneOf(carol)).toEqual([]);
    await setLastSeen(carol, -100, -100);
    await run(201, startMs);
    expect(phoneOf(carol)).toEqual([]);
    await setLastSeen(carol, 300, 300);
    await run(302);
    expect(phoneOf(carol)).toEqual([`${ids[1]}`]);
  });
});

describe('in a channel', () => {
  const topic = 'lunch';
  const setTopic = (who: Person, stream_id: number, visibility_policy: number) =>
    succeed(who.post('/user_topics', { stream_id, topic, visibility_policy }));
  const setChannel = (who: Person, stream_id: number, property: string, value: unknown) =>
    succeed(
      who.post('/users/me/subscriptions/properties', { subscription_data: [{ stream_id, property, value }] }),
    );

  async function channelWith(...people: Person[]): Promise<number> {
    await subscribe(home.alice, 'news', [home.alice, ...people]);
    const { stream_id } = await succeed(home.alice.get('/get_stream_id', { stream: 'news' }));
    return stream_id;
  }

  test('a mention is pushed even where it is muted, and names the place', async () => {
    const { alice, bob, carol } = home;
    const channel = await channelWith(bob, carol);
    await register(bob, carol);
    await setChannel(bob, channel, 'is_muted', true);
    const id = await say(alice, 'news', topic, '@**Bob** look');
    await run();
    expect([phoneOf(bob), phoneOf(carol)]).toEqual([[`${id}`], []]);
    expect(services.fcm[0]?.body.data).toMatchObject({
      recipient_type: 'stream',
      stream_id: `${channel}`,
      stream: 'news',
      topic,
      content: '@Bob look',
    });
  });

  test('somebody who is mentioned and not subscribed is notified', async () => {
    const { alice, bob } = home;
    await channelWith();
    await register(bob);
    const id = await say(alice, 'news', topic, '@**Bob** come here');
    await run();
    expect(phoneOf(bob)).toEqual([`${id}`]);
  });

  test('a mention of everyone is for those who want it, and have not muted it', async () => {
    const { alice, bob, carol, admin, moderator, owner } = home;
    const all = [bob, carol, admin, moderator, owner];
    const channel = await channelWith(...all);
    await register(...all);
    await succeed(carol.patch('/settings', { wildcard_mentions_notify: false }));
    await succeed(admin.patch('/settings', { wildcard_mentions_notify: false }));
    await setChannel(admin, channel, 'wildcard_mentions_notify', true);
    await setTopic(moderator, channel, 1);
    await setChannel(owner, channel, 'wildcard_mentions_notify', false);
    await setTopic(owner, channel, 3);
    await succeed(owner.patch('/settings', { enable_followed_topic_push_notifications: false }));
    const id = await say(alice, 'news', topic, '@**all** hear');
    await run();
    expect(all.map((who) => phoneOf(who).length)).toEqual([1, 0, 1, 0, 1]);
    // Whoever follows the topic wants it nevertheless, until they do not.
    await succeed(owner.patch('/settings', { enable_followed_topic_wildcard_mentions_notify: false }));
    await say(alice, 'news', topic, '@**topic** hear');
    const other = await say(alice, 'news', topic, '@**all** hear');
    await run();
    expect(phoneOf(owner)).toEqual([`${id}`]);
    expect(phoneOf(bob)).toEqual([`${id}`, `${other}`]);
  });

  test('messages are for those who follow the topic, or want all of the channel, as they set it', async () => {
    const { alice, bob, carol, admin, moderator, owner, guest } = home;
    const all = [bob, carol, admin, moderator, owner, guest];
    const channel = await channelWith(...all);
    await register(...all);
    await setTopic(bob, channel, 3);
    await succeed(carol.patch('/settings', { enable_stream_push_notifications: true }));
    await setChannel(admin, channel, 'push_notifications', true);
    await succeed(moderator.patch('/settings', { enable_stream_push_notifications: true }));
    await setChannel(moderator, channel, 'push_notifications', false);
    await setChannel(owner, channel, 'push_notifications', true);
    await setTopic(owner, channel, 1);
    const id = await say(alice, 'news', topic, 'soup');
    await run();
    expect(all.map((who) => phoneOf(who).length)).toEqual([1, 1, 1, 0, 0, 0]);
    await setChannel(carol, channel, 'is_muted', true);
    await succeed(bob.patch('/settings', { enable_followed_topic_push_notifications: false }));
    await say(alice, 'news', topic, 'salad');
    await run();
    expect([phoneOf(bob), phoneOf(carol), phoneOf(admin).length]).toEqual([[`${id}`], [`${id}`], 2]);
  });

  test('nobody is told of what they may not read any more', async () => {
    const { alice, bob } = home;
    await succeed(
      alice.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'secret' }],
        principals: [alice.id, bob.id],
        invite_only: true,
      }),
    );
    await register(bob);
    await say(alice, 'secret', topic, '@**Bob** look');
    await succeed(
      alice.delete('/users/me/subscriptions', { subscriptions: ['secret'], principals: [bob.id] }),
    );
    await run();
    expect(phoneOf(bob)).toEqual([]);
  });
});

describe('a service', () => {
  test('a service that is busy gets the notification later, and only for the devices that lack it', async () => {
    const { alice, bob } = home;
    await register(bob);
    await succeed(bob.post('/users/me/apns_device_token', { token: 'b0b', appid: 'org.example.app' }));
    services.answer('b0b', { status: 429, headers: { 'retry-after': '100' } }, 'hang up', { status: 503 });
    const id = await tell(alice, [bob]);
    await run();
    expect([services.apns.length, phoneOf(bob)]).toEqual([1, [`${id}`]]);
    const [waiting] = await pendingFor(bob);
    expect(waiting).toMatchObject({ kind: 'push', attempts: 1 });
    expect(waiting?.wait_seconds).toBeGreaterThan(90);
    await run();
    expect(services.apns).toHaveLength(1);
    for (const later of [200, 400, 600, 800]) await run(later);
    expect([services.apns.length, phoneOf(bob)]).toEqual([4, [`${id}`]]);
    expect(await pendingFor(bob)).toEqual([]);
  });

  test('a device that a service does not know is forgotten', async () => {
    const { alice, bob } = home;
    await register(bob);
    services.answer(tokenOf(bob), {
      status: 404,
      body: { error: { details: [{ errorCode: 'UNREGISTERED' }] } },
    });
    await tell(alice, [bob]);
    await run();
    expect(await pendingFor(bob)).toEqual([]);
    expect((await bob.delete('/users/me/android_gcm_reg_id', { token: tokenOf(bob) })).msg).toBe(
      'No device of yours has this token.',
    );
  });

  test('a service that is away for long gets nothing of what was read meanwhile', async () => {
    const { alice, bob } = home;
    await register(bob);
    services.answer(tokenOf(bob), 'hang up');
    const id = await tell(alice, [bob]);
    await run();
    await read(bob, id);
    await run(1000);
    expect(phoneOf(bob).filter((one) => one === `${id}`)).toHaveLength(1);
    expect(await pendingFor(bob)).toEqual([]);
  });
});
