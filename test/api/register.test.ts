import { describe, expect, test } from 'vitest';

import { type Json, getWorld, newest, realm, subscribe, tell } from '../support/index.ts';

const everyCapability = {
  ...newest,
  user_avatar_url_field_optional: true,
};

describe('POST /register', () => {
  test('answers with a queue, its position, the versions and the state', async () => {
    const { alice, owner, bot, realm: home } = await realm();
    await subscribe(owner, 'general', [alice]);

    const state = await alice.post('/register');

    expect(state).toMatchObject({
      queue_id: expect.stringMatching(new RegExp(`^${home.id.toString(36)}_[01]-[\\w-]{22}$`)),
      last_event_id: -1,
      svc_feature_level: 421,
      zulip_feature_level: 421,
      user_id: alice.id,
      max_message_id: -1,
      max_message_length: 10_000,
      max_topic_length: 60,
      event_queue_longpoll_timeout_seconds: 90,
      realm_empty_topic_display_name: 'general chat',
      realm_name: `The ${home.name}`,
      subscriptions: [{ name: 'general', subscriber_count: 1 }],
      streams: [{ name: 'general' }],
      unsubscribed: [],
      never_subscribed: [],
    });
    expect(state.subscriptions[0]).not.toHaveProperty('subscribers');
    const people = new Map(state.realm_users.map((user: { user_id: number }) => [user.user_id, user]));
    expect(people.size).toBe(8);
    expect(people.get(bot.id)).toMatchObject({ is_bot: true, bot_owner_id: owner.id });
  });

  test('says what clients ask of the server and of the defaults', async () => {
    const { alice } = await realm();
    const state = await alice.post('/register');
    expect(state).toMatchObject({
      server_generation: expect.any(Number),
      server_inline_image_preview: true,
      server_inline_url_embed_preview: true,
      giphy_rating_options: { disabled: { id: 0 }, 'pg-13': { id: 4 } },
      giphy_api_key: '',
      has_zoom_token: false,
      realm_billing: { has_pending_sponsorship_request: false },
      realm_domains: [],
      cross_realm_bots: [
        { full_name: 'Notification Bot', is_active: true, is_system_bot: true },
        { full_name: 'Welcome Bot', is_active: true, is_system_bot: true },
      ],
    });
    expect(state.server_generation).toBeLessThanOrEqual(Date.now() / 1000);
    const { timezone: _, ...settings } = state.user_settings;
    expect(Object.keys(state.realm_user_settings_defaults).sort()).toEqual(Object.keys(settings).sort());
    const people = new Map(state.realm_users.map((user: Json) => [user.user_id, user]));
    expect(people.get(alice.id)).toMatchObject({ bot_type: null });
  });

  test('names the words that a search passes over', async () => {
    const { alice } = await realm();
    const { sql } = await getWorld();
    const { stop_words: words } = await alice.post('/register', { fetch_event_types: ['stop_words'] });
    const rows = await sql`
      select word from unnest(${words}::text[]) word where numnode(plainto_tsquery('english', word)) > 0`;
    expect([words.length, [...rows]]).toEqual([127, []]);
  });

  test('a registration at a position: what came before is in the state, what comes after in the queue, nothing in both', async () => {
    const { alice, bob } = await realm();
    const send = (content: string) => alice.post('/messages', { type: 'direct', to: [bob.id], content });
    const { id: before } = await send('before');
    const phone = await bob.listen({ fetch_event_types: ['message'] });
    expect(phone.registered.max_message_id).toBe(before);
    await send('after');
    expect((await phone.hears()).map(({ message }) => message.content)).toEqual(['after']);
  });

  test('a registration while messages are being sent misses and repeats none', async () => {
    const { alice, bob } = await realm();
    const sending = Array.from({ length: 40 }, (_, index) =>
      alice.post('/messages', { type: 'direct', to: [bob.id], content: `${index}` }),
    );
    const listeners = await Promise.all(
      Array.from({ length: 10 }, () => bob.listen({ fetch_event_types: ['message'] })),
    );
    const ids: number[] = (await Promise.all(sending)).map(({ id }) => id).sort((a, b) => a - b);
    for (const listener of listeners) {
      const heard = (await listener.hears()).map(({ message }) => message.id);
      expect(heard).toEqual(ids.filter((id) => id > listener.registered.max_message_id));
    }
  });

  test('fetches what fetch_event_types names, and without it what event_types names', async () => {
    const { alice } = await realm();
    const keysOf = async (params: object) => Object.keys(await alice.post('/register', { ...params }));

    const onlyStreams = await keysOf({ fetch_event_types: ['stream'] });
    expect(onlyStreams).toContain('streams');
    expect(onlyStreams).not.toContain('realm_users');
    const likeEvents = await keysOf({ event_types: ['realm_user'] });
    expect(likeEvents).toContain('realm_users');
    expect(likeEvents).not.toContain('streams');
    const nothing = await keysOf({ fetch_event_types: [] });
    expect(nothing).not.toContain('realm_users');
    expect(nothing).toContain('zulip_feature_level');
    expect(await keysOf({ event_types: null, fetch_event_types: null })).toContain('streams');
  });

  test('lets through the event types that were asked for', async () => {
    const { alice, bob } = await realm();
    const all = await bob.listen();
    const messagesOnly = await bob.listen({ event_types: ['message', 'no_such_type'] });
    await subscribe(alice, 'news', [bob]);
    await tell(alice, [bob], 'hi');
    expect(new Set((await all.hears()).map(({ type }) => type))).toEqual(
      new Set(['stream', 'subscription', 'message']),
    );
    expect((await messagesOnly.hears()).map(({ type }) => type)).toEqual(['message']);
  });

  test('checks client_capabilities', async () => {
    const { alice } = await realm();
    const register = (client_capabilities: unknown) =>
      alice.post('/register', { fetch_event_types: [], client_capabilities });
    expect(await register(everyCapability)).toMatchObject({ result: 'success' });
    expect(await register({ notification_settings_null: false, of_tomorrow: true })).toMatchObject({
      result: 'success',
    });
    expect(await register({ bulk_message_deletion: true })).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'client_capabilities["notification_settings_null"] is missing.',
    });
    expect(await register({ notification_settings_null: 1 })).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'client_capabilities["notification_settings_null"] must be true or false.',
    });
    expect(await register([])).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'client_capabilities must be an object.',
    });
  });

  test('keeps null notification settings from clients that cannot read them', async () => {
    const { alice } = await realm();
    await subscribe(alice, 'news');
    const first = async (params: object) =>
      (await alice.post('/register', { fetch_event_types: ['subscription'], ...params })).subscriptions[0];
    expect(await first({})).toMatchObject({ desktop_notifications: false, push_notifications: false });
    expect(await first({ client_capabilities: everyCapability })).toMatchObject({
      desktop_notifications: null,
      push_notifications: null,
    });
  });

  test('sends each client the form of a message that it asked for', async () => {
    const { alice, bob } = await realm();
    const plain = await bob.listen({ client_gravatar: false });
    const modern = await bob.listen({ apply_markdown: true, client_capabilities: everyCapability });
    await subscribe(alice, 'news', [bob]);
    await alice.post('/messages', { type: 'channel', to: 'news', topic: '', content: 'a < b' });

    const messageOf = async (listener: typeof plain) =>
      (await listener.hears()).find(({ type }) => type === 'message')?.['message'];
    expect(await messageOf(plain)).toMatchObject({
      content: 'a < b',
      content_type: 'text/x-markdown',
      subject: 'general chat',
      avatar_url: expect.stringContaining('https://'),
    });
    expect(await messageOf(modern)).toMatchObject({
      content: '<p>a &lt; b</p>',
      content_type: 'text/html',
      subject: '',
      avatar_url: null,
    });
  });

  test('narrows message events, and nothing else', async () => {
    const { alice, bob } = await realm();
    const direct = await bob.listen({ narrow: [['is', 'dm']] });
    const news = await bob.listen({
      narrow: [
        ['channel', 'News'],
        ['topic', 'WEATHER'],
      ],
    });
    await subscribe(alice, 'news', [bob]);
    const say = (topic: string, content: string) =>
      alice.post('/messages', { type: 'channel', to: 'news', topic, content });
    await say('weather', 'rain');
    await say('sports', 'goal');
    await tell(alice, [bob], 'psst');

    const heard = async (listener: typeof direct) => {
      const events = await listener.hears();
      expect(events.map(({ type }) => type)).toContain('subscription');
      return events.flatMap(({ type, message }) => (type === 'message' ? [message.content] : []));
    };
    expect(await heard(direct)).toEqual(['psst']);
    expect(await heard(news)).toEqual(['rain']);
  });

  test('refuses a narrow that queues cannot follow', async () => {
    const { alice } = await realm();
    const register = async (narrow: unknown) => await alice.post('/register', { narrow });
    expect(await register([['has', 'link']])).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await register([['is', 'followed']])).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await register([['is']])).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await register('[')).toMatchObject({ code: 'BAD_REQUEST', msg: 'narrow must be JSON.' });
  });

  test('a queue with all_public_streams hears public channels without being subscribed, and no private one', async () => {
    const { alice, bob, guest } = await realm();
    const everything = await bob.listen({ all_public_streams: true, event_types: ['message'] });
    const subscribed = await bob.listen({ event_types: ['message'] });
    await subscribe(alice, 'open');
    await alice.post('/users/me/subscriptions', { subscriptions: [{ name: 'shut' }], invite_only: true });
    await alice.post('/messages', { type: 'channel', to: 'open', topic: 't', content: 'for all' });
    await alice.post('/messages', { type: 'channel', to: 'shut', topic: 't', content: 'for some' });

    expect((await everything.hears()).map(({ message }) => message.content)).toEqual(['for all']);
    expect(await subscribed.hears()).toEqual([]);
    expect(await guest.post('/register', { all_public_streams: true })).toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('shows a guest only the channels they are in', async () => {
    const { alice, guest } = await realm();
    await subscribe(alice, 'open');
    await subscribe(alice, 'lobby', [guest]);
    const state = await guest.post('/register');
    expect(state.streams.map(({ name }: { name: string }) => name)).toEqual(['lobby']);
    expect(state.never_subscribed).toEqual([]);
  });

  test('lists subscribers when asked to', async () => {
    const { alice, bob, owner } = await realm();
    await subscribe(alice, 'news', [bob, alice]);
    for (const include_subscribers of ['true', 'partial']) {
      const mine = await alice.post('/register', { include_subscribers });
      expect(mine.subscriptions).toMatchObject([{ name: 'news', subscribers: [alice.id, bob.id] }]);
      const others = await owner.post('/register', { include_subscribers });
      expect(others.never_subscribed).toMatchObject([{ name: 'news', subscribers: [alice.id, bob.id] }]);
    }
    expect(await alice.post('/register', { include_subscribers: 'some' })).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'include_subscribers is not valid.',
    });
  });

  test('makes a queue that lives as long as was asked, within bounds', async () => {
    const { alice } = await realm();
    const { redis } = await getWorld();
    const livesFor = async (params: object) => {
      const { queue_id } = await alice.post('/register', { fetch_event_types: [], ...params });
      return await redis.ttl(`parley:{q:${queue_id}}`);
    };
    const around = (ttl: number, seconds: number) => {
      expect(ttl).toBeGreaterThan(seconds - 10);
      expect(ttl).toBeLessThanOrEqual(seconds);
    };
    around(await livesFor({}), 600);
    around(await livesFor({ queue_lifespan_secs: 1 }), 600);
    around(await livesFor({ queue_lifespan_secs: 3600 }), 3600);
    around(await livesFor({ queue_lifespan_secs: 100_000_000 }), 604_800);
  });

  test('tells those beyond what the node takes on at once to come back, and serves the others', async () => {
    const { owner, admin, moderator, alice, bob, carol } = await realm();
    await using node = await (await getWorld()).startApi({ registrations: { atOnce: 1, waitingMax: 2 } });
    const people = [owner, admin, moderator, alice, bob, carol];
    const storm = Array.from({ length: 5 }, () =>
      people.map((one) => one.ask('POST', '/register', {}, { port: node.port })),
    );
    const replies = await Promise.all(storm.flat());
    const refused = replies.filter(({ status }) => status === 503);
    expect(replies.filter(({ status }) => status === 200).length + refused.length).toBe(30);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ body: { code: 'SERVER_NOT_READY' }, headers: { 'retry-after': '1' } });
    expect(replies.some(({ status }) => status === 200)).toBe(true);
  });
});

describe('what existing clients cannot start without', () => {
  /** Fields that a strict decoder fails on when they are missing or null. */
  const needed = {
    mobile: [
      'queue_id',
      'last_event_id',
      'zulip_feature_level',
      'zulip_version',
      'zulip_merge_base',
      'alert_words',
      'custom_profile_fields',
      'max_stream_name_length',
      'max_topic_length',
      'muted_users',
      'presences',
      'server_presence_ping_interval_seconds',
      'server_presence_offline_threshold_seconds',
      'realm_emoji',
      'realm_user_groups',
      'recent_private_conversations',
      'subscriptions',
      'unread_msgs',
      'streams',
      'starred_messages',
      'user_status',
      'user_settings',
      'user_topics',
      'realm_wildcard_mention_policy',
      'realm_name',
      'realm_waiting_period_threshold',
      'realm_allow_message_editing',
      'realm_icon_url',
      'realm_enable_read_receipts',
      'realm_presence_disabled',
      'realm_default_external_accounts',
      'max_file_upload_size_mib',
      'server_emoji_data_url',
      'event_queue_longpoll_timeout_seconds',
      'realm_users',
      'realm_non_active_users',
      'cross_realm_bots',
    ],
    terminal: [
      'queue_id',
      'last_event_id',
      'max_message_id',
      'zulip_version',
      'user_id',
      'email',
      'full_name',

      'realm_name',
      'subscriptions',
      'unsubscribed',
      'never_subscribed',
      'muted_topics',
      'realm_user_groups',
      'unread_msgs',
      'realm_emoji',
      'realm_message_retention_days',
      'user_settings',
      'presences',
      'realm_users',
      'cross_realm_bots',
      'custom_profile_fields',
    ],
  };

  test('is there for a mobile client', async () => {
    const { alice } = await realm();
    const state = await alice.post('/register', {
      slim_presence: true,
      client_capabilities: { notification_settings_null: true, user_settings_object: true },
    });
    expect(needed.mobile.filter((field) => state[field] === undefined || state[field] === null)).toEqual([]);
  });

  test('is there for a terminal', async () => {
    const { alice } = await realm();
    const fetch_event_types = [
      'realm',
      'presence',
      'subscription',
      'message',
      'starred_messages',
      'update_message_flags',
      'muted_topics',
      'realm_user',
      'realm_user_groups',
      'user_settings',
      'realm_emoji',
      'custom_profile_fields',
      'zulip_version',
    ];
    const state = await alice.post('/register', { fetch_event_types, include_subscribers: 'true' });
    expect(needed.terminal.filter((field) => state[field] === undefined || state[field] === null)).toEqual(
      [],
    );
    const own = alice.email;
    await alice.post('/users/me/presence', { status: 'active' });
    const { presences } = await alice.post('/register', { fetch_event_types: ['presence'] });
    expect(presences[own]).toMatchObject({ aggregated: { status: 'active' } });
  });
});
