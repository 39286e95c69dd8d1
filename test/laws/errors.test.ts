import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { ErrorCode } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  type PushReply,
  type TestRealm,
  deliver,
  createGroup,
  getWorld,
  openBrowser,
  realm,
  startPushServices,
  subscribe,
  tell,
} from '../support/index.ts';

const password = 'correct horse battery staple';
const logIn = async (asker: Person, username: string, typed = password): Promise<Json> =>
  (await asker.ask('POST', '/fetch_api_key', { username, password: typed }, { authorization: null })).body;

/** Sixteen is a crowd. */
async function mentionEveryone(
  { realm: { id, ...home }, alice, join }: TestRealm,
  whom: string,
): Promise<Json> {
  const crowd = await Promise.all(
    Array.from({ length: 16 }, (_, number) => join({ name: `Number ${number}` })),
  );
  const principals = [alice, ...crowd].map((person) => person.id);
  await alice.post('/users/me/subscriptions', { subscriptions: [{ name: 'crowd' }], principals });
  const to = { type: 'channel', to: 'crowd', topic: `${home.name} ${id}` };
  if (whom === 'topic')
    for (const person of crowd) await person.post('/messages', { ...to, content: 'here' });
  return await alice.post('/messages', { ...to, content: `@**${whom}** look` });
}

/** Sends a test to a phone whose service answers like that. */
async function testPush(who: Person, answer: PushReply): Promise<Json> {
  await using services = await startPushServices();
  await using node = await (await getWorld()).startApi({ push: services.client });
  await who.post('/users/me/apns_device_token', { token: 'abc', appid: 'org.example.app' });
  services.answer('abc', answer);
  return (await who.ask('POST', '/mobile_push/test_notification', {}, { port: node.port })).body;
}

/** How each code comes about, and what its body carries beside code and text. `checkReply` compares the status. */
const provoked: Partial<Record<ErrorCode, (people: TestRealm) => Promise<[Json, object]>>> = {
  BAD_REQUEST: async ({ alice }) => [await alice.post('/messages', { type: 'x', to: [1], content: 'x' }), {}],

  REQUEST_VARIABLE_MISSING: async ({ alice }) => [await alice.post('/messages'), { var_name: 'type' }],

  REQUEST_CONFUSING_VAR: async ({ alice }) => [
    await alice.post('/messages', { type: 'channel', to: 1, content: 'x', topic: 'a', subject: 'b' }),
    { var_name1: 'topic', var_name2: 'subject' },
  ],

  STREAM_DOES_NOT_EXIST: async ({ alice }) => [
    await alice.post('/messages', { type: 'channel', to: 'nowhere', topic: 't', content: 'x' }),
    { stream: 'nowhere' },
  ],

  STREAM_WILDCARD_MENTION_NOT_ALLOWED: async (home) => [await mentionEveryone(home, 'all'), {}],

  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: async (home) => [await mentionEveryone(home, 'topic'), {}],

  async CHANNEL_ALREADY_EXISTS({ alice }) {
    await alice.post('/channels/create', { name: 'News', subscribers: [] });
    return [
      await alice.post('/channels/create', { name: 'NEWS', subscribers: [] }),
      { channel_name: 'News' },
    ];
  },

  BAD_NARROW: async ({ alice }) => [
    await alice.get('/messages', { anchor: 1, narrow: [['is', 'purple']] }),
    { desc: expect.any(String) },
  ],

  BAD_EVENT_QUEUE_ID: async ({ alice }) => [
    await alice.get('/events', { queue_id: 'none', last_event_id: -1 }),
    { queue_id: 'none' },
  ],

  async REACTION_ALREADY_EXISTS({ alice }) {
    const id = await tell(alice, [alice]);
    const react = () => alice.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    await react();
    return [await react(), {}];
  },

  async REACTION_DOES_NOT_EXIST({ alice }) {
    const id = await tell(alice, [alice]);
    return [await alice.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' }), {}];
  },

  BAD_IMAGE: async ({ alice }) => [
    (await alice.upload('/users/me/avatar', [{ name: 'a.png', content: 'no picture' }])).body,
    {},
  ],

  async REALM_UPLOAD_QUOTA({ alice, realm: { id } }) {
    await (
      await getWorld()
    ).sql`update realms set upload_quota_mib = 0 where id = ${id}`;
    return [(await alice.upload('/user_uploads', [{ name: 'a.txt', content: 'x' }])).body, {}];
  },

  async MOVE_MESSAGES_TIME_LIMIT_EXCEEDED({ alice }) {
    await subscribe(alice, 'news');
    const say = () => alice.post('/messages', { type: 'channel', to: 'news', topic: 't', content: 'x' });
    const [old, { id }] = [await say(), await say()];
    const { sql } = await getWorld();
    await sql`update messages set sent_at = sent_at - interval '8 days'
      where realm_id = ${alice.realm.id} and id = ${old.id}`;
    return [
      await alice.patch(`/messages/${id}`, { topic: 'other', propagate_mode: 'change_all' }),
      { first_message_id_allowed_to_move: id, total_messages_in_topic: 2, total_messages_allowed_to_move: 1 },
    ];
  },

  UNAUTHORIZED: async ({ alice }) => [await alice.withKey('x'.repeat(32)).get('/users/me'), {}],

  UNAUTHENTICATED_USER: async ({ alice }) => [
    (await alice.ask('GET', '/users/me', {}, { authorization: null })).body,
    {},
  ],

  AUTHENTICATION_FAILED: async ({ alice }) => [await logIn(alice, alice.email), {}],

  async PASSWORD_AUTH_DISABLED({ owner, alice, join }) {
    const { email } = await join({ name: 'Dora', password });
    await owner.patch('/realm', { authentication_methods: { Email: false } });
    return [await logIn(alice, email), {}];
  },

  async CSRF_FAILED({ realm: home, join }) {
    const { email: username } = await join({ name: 'Dora', password });
    const foreign = { Origin: 'https://elsewhere.example' };
    const { body } = await openBrowser(home).ask('POST', '/login/', { username, password }, foreign);
    return [body, { reason: expect.any(String) }];
  },

  INVITATION_FAILED: async ({ alice, bob }) => [
    await alice.post('/invites', { invitee_emails: `new@new.example, ${bob.email}`, stream_ids: [] }),
    {
      errors: [[bob.email, expect.any(String), false]],
      sent_invitations: true,
      license_limit_reached: false,
      daily_limit_reached: false,
    },
  ],

  async USER_DEACTIVATED({ owner, alice, join }) {
    const { id, email } = await join({ name: 'Dora', password });
    await owner.delete(`/users/${id}`);
    return [await logIn(alice, email), {}];
  },

  async REALM_DEACTIVATED({ owner, alice, join }) {
    const { email } = await join({ name: 'Dora', password });
    await owner.post('/realm/deactivate');
    return [await logIn(alice, email), {}];
  },

  INVALID_API_KEY: async ({ alice }) => [(await deliver(alice, 'json', { payload: {} })).body, {}],

  INVALID_JSON: async ({ alice }) => [await alice.post('/external/json'), {}],

  MISSING_HTTP_EVENT_HEADER: async ({ alice }) => [
    await alice.post('/external/github', { payload: {} }),
    { header: 'X-GitHub-Event' },
  ],

  ANOMALOUS_WEBHOOK_PAYLOAD: async ({ alice }) => [
    await alice.post('/external/alertmanager', { payload: {} }),
    { webhook_name: 'alertmanager' },
  ],

  UNAUTHORIZED_PRINCIPAL: async ({ moderator }) => [
    await moderator.patch('/realm/user_settings_defaults'),
    {},
  ],

  EXPECTATION_MISMATCH: async ({ owner }) => [
    await owner.patch('/realm', { can_create_groups: { new: 1, old: 1 } }),
    { field_name: 'old' },
  ],

  REQUEST_VARIABLE_INVALID: async ({ owner }) => [
    await owner.patch('/realm', { message_content_edit_limit_seconds: 0 }),
    { var_name: 'message_content_edit_limit_seconds', bad_value: '0' },
  ],

  INVALID_PUSH_DEVICE_TOKEN: async ({ alice }) => [
    await alice.post('/mobile_push/test_notification', { token: 'other' }),
    {},
  ],

  ADMIN_ACTION_REQUIRED: async ({ alice }) => {
    await alice.post('/users/me/android_gcm_reg_id', { token: 'phone' });
    return [await alice.post('/mobile_push/test_notification'), {}];
  },

  INVALID_REMOTE_PUSH_DEVICE_TOKEN: async ({ alice }) => [await testPush(alice, { status: 410 }), {}],

  INTERNAL_SERVER_ERROR_ON_BOUNCER: async ({ alice }) => [await testPush(alice, { status: 503 }), {}],

  FAILED_TO_CONNECT_BOUNCER: async ({ alice }) => [await testPush(alice, 'hang up'), {}],

  PUSH_SERVICE_NOT_CONFIGURED: async ({ alice }) => [
    await alice.post('/mobile_push/register', {
      token_kind: 'fcm',
      push_account_id: 1,
      push_key: 'x',
      bouncer_public_key: 'x',
      encrypted_push_registration: 'x',
    }),
    {},
  ],

  NO_ACTIVE_PUSH_DEVICE: async ({ alice }) => [await alice.post('/mobile_push/e2ee/test_notification'), {}],

  SYSTEM_GROUP_REQUIRED: async ({ owner }) => [
    await owner.patch('/realm', {
      can_access_all_users_group: { new: { direct_members: [owner.id], direct_subgroups: [] } },
    }),
    { setting_name: 'can_access_all_users_group' },
  ],

  async CANNOT_DEACTIVATE_GROUP_IN_USE({ owner }) {
    const group = await createGroup(owner, 'makers');
    await owner.patch('/realm', { can_create_groups: { new: group } });
    const objections = [{ type: 'realm', settings: ['can_create_groups'] }];
    return [await owner.post(`/user_groups/${group}/deactivate`), { objections }];
  },

  CANNOT_DEACTIVATE_LAST_USER: async ({ owner }) => [
    await owner.delete('/users/me'),
    { is_last_owner: true, entity: 'organization owner' },
  ],

  NOT_FOUND: async ({ alice }) => [await alice.get('/nothing_here'), {}],

  NONEXISTENT_SUBDOMAIN: async ({ alice }) => [
    (await alice.ask('GET', '/users/me', {}, { host: 'nowhere.localhost' })).body,
    {},
  ],

  async RATE_LIMIT_HIT({ alice }) {
    const once = [{ seconds: 60, count: 1 }];
    await using node = await (
      await getWorld()
    ).startApi({
      limits: { byUser: once, byAddress: once, logins: once },
    });
    const ask = () => alice.ask('GET', '/users/me', {}, { port: node.port });
    await ask();
    return [(await ask()).body, { 'retry-after': expect.any(Number) }];
  },

  async SERVER_NOT_READY({ alice }) {
    const gone = new URL((await getWorld()).databaseUrl);
    gone.port = '1';
    await using node = await (await getWorld()).startApi({ databaseUrl: gone.href });
    const reply = await alice.ask('GET', '/users/me', {}, { port: node.port });
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    return [reply.body, {}];
  },
};

describe('every error that a program can meet', () => {
  test.each(Object.entries(provoked))('%s has its status and its fields', async (code, provoke) => {
    const [body, extra] = await provoke(await realm());
    expect(body).toEqual({ result: 'error', msg: expect.stringMatching(/./), code, ...extra });
  });

  test('is provoked here', () => {
    const root = new URL('../..', import.meta.url).pathname;
    const sources = ['shared', 'services'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter(({ name, parentPath }) => /(?<!\.test)\.ts$/.test(name) && /\/src(\/|$)/.test(parentPath))
        .map(({ name, parentPath }) => readFileSync(join(parentPath, name), 'utf8')),
    );
    const thrown = new Set(
      sources.flatMap((text) =>
        [...text.matchAll(/\bApiError\(\s*'([A-Z_]+)'/g)].map(([, code]) => code ?? ''),
      ),
    );
    expect(thrown).toContain('SERVER_NOT_READY');
    expect([...thrown].filter((code) => !Object.hasOwn(provoked, code))).toEqual([]);
  });
});
