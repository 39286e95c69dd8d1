// A walk expects of each endpoint what its own declaration says.
/* oxlint-disable vitest/no-conditional-expect */
import { type Endpoint, endpoints } from '@parley/api';
import { errorStatus } from '@parley/protocol';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';

import {
  type Json,
  type Reply,
  type TestRealm,
  basic,
  call,
  encodeMultipart,
  getWorld,
  multipartType,
  picture,
  realm,
  uploadEmoji,
} from '../support/index.ts';

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const all = endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const);
const isQuery = ({ method }: Endpoint) => method === 'GET';

/** What Alice, who walks, has at hand: messages that she received and sent, a public channel that she is in, a file. */
interface Scene extends TestRealm {
  botId: number;
  messageId: number;
  ownMessageId: number;
  upload: { id: number; path_id: string };
  channelId: number;
  folderId: number;
  fieldId: number;
  defaultGroupId: number;
}

/** A request that succeeds, for each endpoint: what the walks below start from. A new endpoint needs one. */
const valid: Record<string, (scene: Scene) => Record<string, string>> = {
  'GET /server_settings': () => ({}),
  'POST /fetch_api_key': ({ alice }) => ({ username: alice.email, password: 'correct horse' }),
  'POST /dev_fetch_api_key': ({ alice }) => ({ username: alice.email }),
  'POST /register': () => ({}),
  'GET /events': () => ({ dont_block: 'true' }),
  'POST /messages': ({ bob }) => ({ type: 'direct', to: `[${bob.id}]`, content: 'x' }),
  'GET /messages': () => ({ anchor: 'newest', num_before: '5' }),
  'GET /messages/:message_id': ({ messageId }) => ({ message_id: String(messageId) }),
  'GET /messages/matches_narrow': ({ messageId }) => ({ msg_ids: `[${messageId}]`, narrow: '[]' }),
  'GET /messages/:message_id/read_receipts': ({ messageId }) => ({ message_id: String(messageId) }),
  'POST /messages/render': () => ({ content: 'x' }),
  'POST /messages/:message_id/reactions': ({ messageId }) => ({
    message_id: String(messageId),
    emoji_name: 'tada',
  }),
  'DELETE /messages/:message_id/reactions': ({ messageId }) => ({
    message_id: String(messageId),
    emoji_name: 'octopus',
  }),
  'GET /users': () => ({}),
  'PATCH /messages/:message_id': ({ ownMessageId }) => ({
    message_id: String(ownMessageId),
    content: 'changed',
  }),
  'DELETE /messages/:message_id': ({ ownMessageId }) => ({ message_id: String(ownMessageId) }),
  'GET /messages/:message_id/history': ({ messageId }) => ({ message_id: String(messageId) }),
  'POST /messages/:message_id/report': ({ messageId }) => ({
    message_id: String(messageId),
    report_type: 'spam',
  }),
  'POST /streams/:stream_id/delete_topic': ({ channelId }) => ({
    stream_id: String(channelId),
    topic_name: 't',
  }),
  'GET /users/me': () => ({}),
  'GET /users/:user': ({ bob }) => ({ user: String(bob.id) }),
  'POST /users': () => ({
    email: `n${Math.random()}@example.com`,
    password: 'correct horse',
    full_name: 'Newcomer',
  }),
  'PATCH /users/:user': ({ bob }) => ({ user: String(bob.id), full_name: 'Robert' }),
  'DELETE /users/me': () => ({}),
  'DELETE /users/:user_id': ({ carol }) => ({ user_id: String(carol.id) }),
  'POST /users/:user_id/reactivate': ({ carol }) => ({ user_id: String(carol.id) }),
  'POST /users/me/api_key/regenerate': () => ({}),
  'GET /streams': () => ({}),
  'GET /users/me/subscriptions': () => ({}),
  'GET /bots': () => ({}),
  'POST /bots': () => ({ full_name: `B ${Math.random()}`, short_name: `b${Math.random()}` }),
  'PATCH /bots/:bot_id': ({ botId }) => ({ bot_id: String(botId), service_interface: '1' }),
  'DELETE /bots/:bot_id': ({ botId }) => ({ bot_id: String(botId) }),
  'POST /bots/:bot_id/api_key/regenerate': ({ botId }) => ({ bot_id: String(botId) }),
  'GET /users/me/alert_words': () => ({}),
  'POST /users/me/alert_words': () => ({ alert_words: '["tea"]' }),
  'DELETE /users/me/alert_words': () => ({ alert_words: '["tea"]' }),
  'POST /users/me/muted_users/:muted_user_id': ({ carol }) => ({ muted_user_id: String(carol.id) }),
  'DELETE /users/me/muted_users/:muted_user_id': ({ bob }) => ({ muted_user_id: String(bob.id) }),
  'GET /realm/profile_fields': () => ({}),
  'POST /realm/profile_fields': () => ({ name: `F ${Math.random()}`, field_type: '1' }),
  'PATCH /realm/profile_fields': ({ fieldId }) => ({ order: `[${fieldId}]` }),
  'PATCH /realm/profile_fields/:field_id': ({ fieldId }) => ({ field_id: String(fieldId), hint: 'x' }),
  'DELETE /realm/profile_fields/:field_id': ({ fieldId }) => ({ field_id: String(fieldId) }),
  'PATCH /users/me/profile_data': ({ fieldId }) => ({ data: `[{"id":${fieldId},"value":"x"}]` }),
  'DELETE /users/me/profile_data': ({ fieldId }) => ({ data: `[${fieldId}]` }),
  'PATCH /users/me/subscriptions': () => ({ delete: '["walks"]' }),
  'DELETE /users/me/subscriptions': () => ({ subscriptions: '["walks"]' }),
  'POST /users/me/subscriptions/properties': ({ channelId }) => ({
    subscription_data: `[{"stream_id":${channelId},"property":"is_muted","value":true}]`,
  }),
  'PATCH /users/me/subscriptions/:stream_id': ({ channelId }) => ({
    stream_id: String(channelId),
    property: 'color',
    value: '#ff0000',
  }),
  'POST /channels/create': () => ({ name: 'made', subscribers: '[]' }),
  'GET /streams/:stream_id': ({ channelId }) => ({ stream_id: String(channelId) }),
  'PATCH /streams/:stream_id': ({ channelId }) => ({ stream_id: String(channelId), description: 'x' }),
  'DELETE /streams/:stream_id': ({ channelId }) => ({ stream_id: String(channelId) }),
  'GET /get_stream_id': () => ({ stream: 'walks' }),
  'GET /streams/:stream_id/members': ({ channelId }) => ({ stream_id: String(channelId) }),
  'GET /streams/:stream_id/email_address': ({ channelId }) => ({ stream_id: String(channelId) }),
  'GET /users/me/:stream_id/topics': ({ channelId }) => ({ stream_id: String(channelId) }),
  'GET /users/:user_id/subscriptions/:stream_id': ({ bob, channelId }) => ({
    user_id: String(bob.id),
    stream_id: String(channelId),
  }),
  'GET /users/:user_id/channels': ({ bob }) => ({ user_id: String(bob.id) }),
  'POST /default_streams': ({ channelId }) => ({ stream_id: String(channelId) }),
  'DELETE /default_streams': ({ channelId }) => ({ stream_id: String(channelId) }),
  'POST /default_stream_groups/create': () => ({
    group_name: 'Another',
    description: 'x',
    stream_names: '["walks"]',
  }),
  'PATCH /default_stream_groups/:group_id': ({ defaultGroupId }) => ({
    group_id: String(defaultGroupId),
    new_description: 'x',
  }),
  'DELETE /default_stream_groups/:group_id': ({ defaultGroupId }) => ({ group_id: String(defaultGroupId) }),
  'PATCH /default_stream_groups/:group_id/streams': ({ defaultGroupId }) => ({
    group_id: String(defaultGroupId),
    op: 'add',
    stream_names: '["walks"]',
  }),
  'GET /channel_folders': () => ({}),
  'POST /channel_folders/create': () => ({ name: 'Another', description: '' }),
  'PATCH /channel_folders': ({ folderId }) => ({ order: `[${folderId}]` }),
  'PATCH /channel_folders/:channel_folder_id': ({ folderId }) => ({
    channel_folder_id: String(folderId),
    description: 'x',
  }),
  'PATCH /settings': () => ({ twenty_four_hour_time: 'true' }),
  'PATCH /settings/display': () => ({ twenty_four_hour_time: 'true' }),
  'PATCH /settings/notifications': () => ({ enable_sounds: 'false' }),
  'GET /realm/emoji': () => ({}),
  'DELETE /realm/emoji/:emoji_name': () => ({ emoji_name: 'walked' }),
  'PATCH /realm': () => ({ name: 'Walked' }),
  'PATCH /realm/user_settings_defaults': () => ({ enable_sounds: 'false' }),
  'POST /user_uploads': () => ({}),
  'GET /user_uploads/:realm_id_str/:random/:filename'({ upload }) {
    const [realm_id_str = '', random = '', filename = ''] = upload.path_id.split('/');
    return { realm_id_str, random, filename };
  },
  'GET /attachments': () => ({}),
  'DELETE /attachments/:attachment_id': ({ upload }) => ({ attachment_id: String(upload.id) }),
  'POST /users/me/avatar': () => ({}),
  'DELETE /users/me/avatar': () => ({}),
  'POST /users/me/subscriptions': () => ({ subscriptions: '[{"name":"walked"}]' }),
  'POST /messages/flags': ({ messageId }) => ({ messages: `[${messageId}]`, op: 'add', flag: 'starred' }),
  'POST /messages/flags/narrow': () => ({
    anchor: 'newest',
    num_before: '5',
    num_after: '0',
    narrow: '[]',
    op: 'add',
    flag: 'read',
  }),
  'POST /mark_all_as_read': () => ({}),
  'POST /mark_stream_as_read': ({ channelId }) => ({ stream_id: String(channelId) }),
  'POST /mark_topic_as_read': ({ channelId }) => ({ stream_id: String(channelId), topic_name: 'walked' }),
  'POST /user_topics': ({ channelId }) => ({
    stream_id: String(channelId),
    topic: 't',
    visibility_policy: '3',
  }),
  'PATCH /users/me/subscriptions/muted_topics': ({ channelId }) => ({
    stream_id: String(channelId),
    topic: 't',
    op: 'add',
  }),
  'POST /typing': ({ bob }) => ({ op: 'start', to: `[${bob.id}]` }),
  'POST /messages/:message_id/typing': ({ ownMessageId }) => ({
    message_id: String(ownMessageId),
    op: 'start',
  }),
  'POST /users/me/presence': () => ({ status: 'active' }),
  'GET /users/:user_id_or_email/presence': ({ alice }) => ({ user_id_or_email: alice.email }),
  'GET /realm/presence': () => ({}),
  'POST /users/me/status': () => ({ status_text: 'walking' }),
  'POST /users/:user_id/status': ({ bob }) => ({ user_id: String(bob.id), status_text: 'walking' }),
  'GET /users/:user_id/status': ({ bob }) => ({ user_id: String(bob.id) }),
};

const knownCodes: Readonly<Record<string, number>> = errorStatus;

let people: Scene;

async function prepare(): Promise<void> {
  const home = await realm();
  const { owner, alice, bob } = home;
  await uploadEmoji(home, 'walked');
  await home.owner.patch('/realm', { enable_read_receipts: true });
  await alice.post(`/users/me/muted_users/${bob.id}`);
  const { user_id: botId } = await alice.post('/bots', { full_name: 'Walker', short_name: 'walker' });
  const { sql } = await getWorld();
  await sql`update users set can_create_users = true where id = ${home.owner.id}`;
  const { id: messageId } = await bob.post('/messages', { type: 'direct', to: [alice.id], content: 'hello' });
  await alice.post(`/messages/${messageId}/reactions`, { emoji_name: 'octopus' });
  const { id: ownMessageId } = await alice.post('/messages', {
    type: 'direct',
    to: [bob.id],
    content: 'hi',
  });
  await alice.post('/users/me/presence', { status: 'active' });
  await alice.post('/users/me/subscriptions', { subscriptions: [{ name: 'walks' }] });
  const [channel] = (await alice.get('/users/me/subscriptions')).subscriptions;
  await alice.post('/messages', { type: 'channel', to: 'walks', topic: 'walked', content: 'hello' });
  await alice.upload('/user_uploads', [{ name: 'a.txt', content: 'a', type: 'text/plain' }]);
  const [upload] = (await alice.get('/attachments')).attachments;
  const { channel_folder_id: folderId } = await owner.post('/channel_folders/create', {
    name: 'A folder',
    description: '',
  });
  const { id: fieldId } = await owner.post('/realm/profile_fields', { name: 'About', field_type: 1 });
  await owner.post('/default_stream_groups/create', {
    group_name: 'A group',
    description: '',
    stream_names: [],
  });
  const { realm_default_stream_groups: groups } = await owner.post('/register', {
    fetch_event_types: ['default_stream_groups'],
  });
  const defaultGroupId = groups[0].id;
  people = {
    ...home,
    botId,
    messageId,
    ownMessageId,
    upload,
    channelId: channel.stream_id,
    folderId,
    fieldId,
    defaultGroupId,
  };
}
beforeAll(prepare);

async function letDeleteAndReport({ owner }: TestRealm): Promise<void> {
  const desk = { subscriptions: [{ name: 'desk' }], invite_only: true };
  await owner.post('/users/me/subscriptions', desk);
  const state = await owner.post('/register', { fetch_event_types: ['subscription', 'realm_user_groups'] });
  const everyone = state.realm_user_groups.find(({ name }: Json) => name === 'role:members');
  await owner.patch('/realm', {
    moderation_request_channel_id: state.subscriptions[0].stream_id,
    can_delete_any_message_group: { new: everyone.id },
  });
}

/** The endpoints that are for some alone are walked by one who may call them. */
const callerOf = ({ only }: Endpoint) =>
  only.some((gate) => gate === 'owner' || gate === 'administrator') ? people.owner : people.alice;

interface Sending {
  params: Record<string, string>;
  authorization?: string | null;
  contentType?: string;
  /** Instead of the encoded parameters. */
  raw?: string | Buffer;
  query?: string;
  /** Sends the file that the endpoint asks for, if it asks for one. */
  withFile?: boolean;
}

const fileOf = (endpoint: Endpoint, params: Record<string, string>) =>
  endpoint.upload
    ? {
        contentType: multipartType,
        raw: encodeMultipart([{ name: 'a.png', content: picture, type: 'image/png' }], params),
      }
    : {};

async function send(endpoint: Endpoint, { withFile, ...sending }: Sending): Promise<Reply> {
  const { params, authorization, contentType, raw, query }: Sending = {
    ...sending,
    ...(withFile && fileOf(endpoint, sending.params)),
  };
  const { ports } = await getWorld();
  const by = callerOf(endpoint);
  const rest = isQuery(endpoint) ? shortened(params) : { ...params };
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest[name] ?? '';
    delete rest[name];
    return encodeURIComponent(value.slice(0, lengthInPathMax)).replaceAll('.', '%2E');
  });
  const encoded = new URLSearchParams(rest).toString();
  const search = [query, isQuery(endpoint) ? encoded : ''].filter(Boolean).join('&');
  const isRead = authorization === undefined ? basic(by.email, by.apiKey) : authorization;
  return await call({
    port: ports.api,
    method: endpoint.method,
    path: `/api/v1${path}${search ? `?${search}` : ''}`,
    headers: {
      Host: people.realm.host,
      ...(isRead !== null && { Authorization: isRead }),
      ...(!isQuery(endpoint) && { 'Content-Type': contentType ?? 'application/x-www-form-urlencoded' }),
    },
    ...(!isQuery(endpoint) && { body: raw ?? encoded }),
  });
}

const lengthInPathMax = 150;

/** An address that is longer than node:http takes never reaches the application. */
const shortened = (params: Record<string, string>) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.slice(0, lengthInPathMax)]));

/** Law 5: whatever was sent, an error is a documented one. */
function checkDocumented({ status, body, text }: Reply): void {
  if (status === 200) return expect(body).toMatchObject({ result: 'success', msg: '' });
  expect(status, text).toBeLessThan(500);
  expect(body, text).toMatchObject({ result: 'error', msg: expect.any(String), code: expect.any(String) });
  expect(knownCodes[body.code], text).toBe(status);
}

/** Everything that a request could leave behind. */
async function countRows(): Promise<Json> {
  const { sql } = await getWorld();
  const [counts] = await sql`
    select (select count(*) from users) as users, (select count(*) from channels) as channels,
      (select count(*) from topics) as topics, (select count(*) from messages) as messages,
      (select count(*) from conversations) as conversations,
      (select count(*) from reactions) as reactions, (select count(*) from conversation_heads) as heads,
      (select count(*) from conversation_members) as members, (select count(*) from audiences) as audiences,
      (select count(*) from attachments) as attachments, (select count(*) from loose_folders) as folders,
      (select count(*) from event_log) as entries, (select sum(seq) from realm_heads) as seq`;
  return counts;
}

test('every endpoint has a request to start from', () => {
  expect(Object.keys(valid).sort()).toEqual(all.map(([name]) => name).sort());
});

describe.each(all)('%s', (name, endpoint) => {
  beforeAll(async () => {
    await prepare();
    if (/\/(?:delete_topic|report)$/.test(endpoint.path)) await letDeleteAndReport(people);
  });
  const start = () => valid[name]?.(people) ?? {};

  test('needs credentials, or says that it needs none', async () => {
    const reply = await send(endpoint, { params: start(), authorization: null });
    checkDocumented(reply);
    if (endpoint.auth === 'none')
      expect(reply.body.code ?? 'AUTHENTICATION_FAILED').toBe('AUTHENTICATION_FAILED');
    else {
      expect([reply.status, reply.body.code]).toEqual([401, 'UNAUTHORIZED']);
      expect(reply.headers['www-authenticate']).toBe('Basic realm="parley"');
    }
  });

  test('looks at credentials before parameters', async () => {
    const params = Object.fromEntries(Object.keys(endpoint.params).map((param) => [param, '{']));
    const reply = await send(endpoint, {
      params,
      authorization: basic(callerOf(endpoint).email, 'x'.repeat(32)),
    });
    if (endpoint.auth === 'none') expect(reply.body.code).not.toBe('UNAUTHORIZED');
    else expect([reply.status, reply.body.code]).toEqual([401, 'UNAUTHORIZED']);
  });

  test('is closed to those whom it is not for', async () => {
    const refused = {
      human: [people.bot, 'BAD_REQUEST'],
      member: [people.guest, 'BAD_REQUEST'],
      administrator: [people.moderator, 'UNAUTHORIZED_PRINCIPAL'],
      owner: [people.admin, 'UNAUTHORIZED_PRINCIPAL'],
    } as const;
    for (const gate of endpoint.only) {
      const [{ email, apiKey }, code] = refused[gate];
      const reply = await send(endpoint, { params: start(), authorization: basic(email, apiKey) });
      expect([reply.status, reply.body.code], gate).toEqual([400, code]);
    }
  });

  test('refuses each parameter of the wrong type with 400', async () => {
    for (const [param, schema] of Object.entries(endpoint.params)) {
      const wrong = ['{"a":[', '[[[0.5]]]', '\0', '-1e999', '"', 'constructor', '9007199254740993'];
      const refused = wrong.filter((value) => !schema.safeParse(value).success);
      // A parameter that is any text has no wrong type; all others must refuse most of these.
      if (!schema.safeParse('any text, really').success) expect(refused.length, param).toBeGreaterThan(3);
      for (const value of refused) {
        const reply = await send(endpoint, { params: { ...start(), [param]: value } });
        const what = `${param}=${value}: ${reply.text}`;
        expect([reply.status, reply.body.code], what).toEqual([400, 'BAD_REQUEST']);
        expect(reply.body.msg, what).toContain(param);
      }
    }
  });

  test('names each required parameter that is missing', async () => {
    for (const [param, schema] of Object.entries(endpoint.params)) {
      if (schema.safeParse(undefined).success || endpoint.path.includes(`:${param}`)) continue;
      const { [param]: _, ...params } = start();
      const { status, body } = await send(endpoint, { params });
      expect([status, body.code, body.var_name]).toEqual([400, 'REQUEST_VARIABLE_MISSING', param]);
    }
  });

  test('names the parameters that it did not understand', async () => {
    if (name === 'POST /fetch_api_key') return;
    const unknown = { zebra: '1', aardvark: '2', client: 'a test', constructor: 'x' };
    const reply = await send(endpoint, { params: { ...start(), ...unknown }, withFile: true });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.ignored_parameters_unsupported).toEqual(['aardvark', 'constructor', 'zebra']);
  });

  test('answers anything at all with a documented reply, and writes nothing that it refused', async () => {
    const names = [...Object.keys(endpoint.params), ...Object.keys(endpoint.aliases), 'client', 'unknown'];
    const nasty = fc.constantFrom(
      '',
      '\0',
      'a\0b',
      '"\\u0000"',
      '"\\ud800"',
      '["\\ud800"]',
      '[{"name":"\\ud800\\u0000"}]',
      '\ufffe',
      '\u202e',
      '9'.repeat(30),
      '-1',
      '2147483648',
      '-2147483649',
      '9007199254740991',
      '1e308',
      '1.5',
      'NaN',
      'null',
      'true',
      '[]',
      '{}',
      '[null]',
      '[9007199254740991]',
      '[-1]',
      '[1.5]',
      '["a"]',
      '[[]]',
      '[["is","dm"]]',
      '[["sender",9007199254740991]]',
      '[["topic","\\u0000"]]',
      '[["channel","%"]]',
      '[["dm",[]]]',
      '[["id",99999999999]]',
      '[{"operator":"dm","operand":[1,1,1]}]',
      '[{"operator":"__proto__","operand":"__proto__"}]',
      '{"__proto__":{"a":1}}',
      'constructor',
      '__proto__',
      '['.repeat(5000),
      '{"a":'.repeat(5000),
      'x'.repeat(100_000),
      '😀'.repeat(10_001),
      "'; drop table users; --",
      '%',
      '\\',
      'general chat',
      'channel',
      'direct',
      'stream',
    );
    const value = fc.oneof(
      { weight: 5, arbitrary: nasty },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 50 }) },
      { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
      { weight: 1, arbitrary: fc.integer().map(String) },
    );
    const params = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 });
    const shape = fc.constantFrom('form', 'form', 'form', 'json', 'multipart', 'garbage', 'query');

    await fc.assert(
      fc.asyncProperty(params, shape, fc.boolean(), async (sent, how, startsValid) => {
        if (endsItsCaller(endpoint)) await prepare();
        const before = await countRows();
        const full = startsValid
          ? { ...start(), ...sent }
          : { ...start(), ...sent, ...pathOf(endpoint, sent) };
        const reply = await send(endpoint, { params: full, ...encodingOf(how, full) });
        checkDocumented(reply);
        if (reply.status !== 200) expect(await countRows(), reply.text).toEqual(before);
      }),
      // A realm for each run is slow.
      { numRuns: endsItsCaller(endpoint) ? 12 : 60, endOnFailure: true },
    );
  });
});

/** Some requests end the key that they are asked with. */
const endsItsCaller = ({ path, method }: Endpoint) =>
  path === '/users/me/api_key/regenerate' || (method === 'DELETE' && path === '/users/me');

const pathOf = ({ path }: Endpoint, sent: Record<string, string>) =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => path.includes(`:${name}`)));

function encodingOf(how: string, params: Record<string, string>): Omit<Sending, 'params'> {
  switch (how) {
    case 'json':
      return { contentType: 'application/json', raw: JSON.stringify(params) };
    case 'multipart':
      return { contentType: 'multipart/form-data; boundary=b', raw: multipart(params) };
    case 'garbage':
      return { raw: Buffer.from([0x61, 0x3d, 0xff, 0xfe, 0x25, 0x00, 0x26, 0x3d, 0x3d, 0x25, 0x7a, 0x7a]) };
    case 'query':
      return { query: 'anchor=%zz&to=%ff%fe&type=%00&content=%&narrow=%ed%a0%80&=&&' };
    default:
      return {};
  }
}

const multipart = (params: Record<string, string>) =>
  `${Object.entries(params)
    .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')}--b--\r\n`;

describe('requests that are no requests of anybody’s', () => {
  test.each([
    ['an address with a broken escape', 'GET', '/api/v1/messages/%zz'],
    ['an address with a NUL', 'GET', '/api/v1/messages/%00'],
    ['an address that leaves the API', 'GET', '/api/v1/../../etc/passwd'],
    ['no address', 'GET', '/'],
    ['a method of no endpoint', 'PUT', '/api/v1/messages'],
  ])('%s is answered with a documented error', async (_, method, path) => {
    const { ports } = await getWorld();
    const { alice } = people;
    const headers = { Host: people.realm.host, Authorization: basic(alice.email, alice.apiKey) };
    const { status, body, text } = await call({ port: ports.api, method, path, headers });
    expect(status, text).toBeGreaterThanOrEqual(400);
    expect(status, text).toBeLessThan(500);
    expect(body, text).toMatchObject({ result: 'error', msg: expect.any(String) });
  });

  test('credentials and hosts of any kind are refused, not stumbled over', async () => {
    const { ports } = await getWorld();
    const texts = ['a\0b:c', `${people.alice.email}:`, ':', '\0:\0', `${'x'.repeat(9000)}:${'y'.repeat(32)}`];
    for (const text of texts) {
      const authorization = `Basic ${Buffer.from(text).toString('base64')}`;
      const headers = { Host: people.realm.host, Authorization: authorization };
      const reply = await call({ port: ports.api, method: 'GET', path: '/api/v1/users/me', headers });
      expect([reply.status, reply.body.code], text).toEqual([401, 'UNAUTHORIZED']);
    }
    for (const host of [
      'a b.localhost',
      '%00.localhost',
      '..localhost',
      'x'.repeat(300),
      "'--.localhost",
      '[::1]',
    ]) {
      const reply = await call({
        port: ports.api,
        method: 'GET',
        path: '/api/v1/users/me',
        headers: { Host: host },
      });
      expect(reply.status, `${host}: ${reply.text}`).toBeGreaterThanOrEqual(400);
      expect(reply.status, `${host}: ${reply.text}`).toBeLessThan(500);
    }
  });
});
