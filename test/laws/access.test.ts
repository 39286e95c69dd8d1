import { type Endpoint, endpoints } from '@parley/api';
import { roles } from '@parley/protocol';
import { beforeAll, describe, expect, test } from 'vitest';

import {
  type Params,
  type Person,
  type Reply,
  type TestRealm,
  basic,
  realm,
  uploadEmoji,
} from '../support/index.ts';

/** Everyone who may come along: those with the roles have nothing to do with the private channel, the insider is in it. */
const callers = [
  'insider',
  'owner',
  'administrator',
  'moderator',
  'member',
  'guest',
  /** The owner of another organization, at home. */
  'otherRealm',
  /** The same one, at the door of this organization. */
  'intruder',
  'deactivated',
  'anonymous',
] as const;
type Caller = (typeof callers)[number];

const insiders: Caller[] = ['insider'];
const administrators: Caller[] = ['owner', 'administrator'];
const moderators: Caller[] = [...administrators, 'moderator'];
const members: Caller[] = [...moderators, 'member', 'insider'];
const accounts: Caller[] = [...members, 'guest'];
/** Of whatever concerns the caller alone. */
const anybody: Caller[] = [...accounts, 'otherRealm'];
/** Whose credentials are none here. */
const nobody: Caller[] = ['intruder', 'deactivated', 'anonymous'];

/** Alice, who is none of the callers, has made all of it. */
interface Scene extends TestRealm {
  callers: Record<Caller, Person>;
  privateId: number;
  publicId: number;
  /** In the private channel, in the public one, and to the insider alone. */
  privateMessage: number;
  publicMessage: number;
  directMessage: number;
  queueId: string;
  /** In the message in the private channel. */
  upload: { id: number; path: string };
}

/** What must never reach those outside: what was said, and that the channel exists, which administrators may know. */
const secrets = [
  { text: 'zebra-words', isFor: insiders },
  { text: 'zebra-topic', isFor: insiders },
  { text: 'zebra-file', isFor: insiders },
  { text: 'zebra-room', isFor: [...insiders, ...administrators] },
];

interface Case {
  /** Whose, or what; the endpoint's name says the rest. */
  of: string;
  /** Made anew for each caller: what one of them takes away is there for the next. */
  params(scene: Scene, caller: Caller): Params | Promise<Params>;
  may: readonly Caller[];
  /** What the others are answered; some with a code of their own. */
  code?: string;
  codes?: Partial<Record<Caller, string>>;
  /** Where not everyone comes along. */
  callers?: readonly Caller[];
}

const own = (params: Case['params'] = () => ({})): Case[] => [{ of: 'one’s own', params, may: anybody }];

/** What administrators of the same organization do, and nobody else. */
const forAdministrators = {
  may: administrators,
  code: 'UNAUTHORIZED_PRINCIPAL',
  codes: { otherRealm: 'BAD_REQUEST' },
} as const;

/** A message of each kind that is not the caller's. */
const ofMessages = (more: Params = {}): Case[] => [
  {
    of: 'in a private channel',
    params: ({ privateMessage }) => ({ message_id: privateMessage, ...more }),
    may: insiders,
    code: 'BAD_REQUEST',
  },
  {
    of: 'in a public channel',
    params: ({ publicMessage }) => ({ message_id: publicMessage, ...more }),
    may: members,
    code: 'BAD_REQUEST',
  },
  {
    of: 'between others',
    params: ({ directMessage }) => ({ message_id: directMessage, ...more }),
    may: insiders,
    code: 'BAD_REQUEST',
  },
];

/** A channel of each kind that is not the caller's, in a parameter called `name`. */
const ofChannels = (name: string, more: Params, code: string): Case[] => [
  {
    of: 'of a private channel',
    params: ({ privateId }) => ({ [name]: privateId, ...more }),
    may: insiders,
    code,
  },
  {
    of: 'of a public channel',
    params: ({ publicId }) => ({ [name]: publicId, ...more }),
    may: members,
    code,
  },
];

/** A channel whose being there is known to administrators, too. */
const ofSeenChannels = (name: string, more: (scene: Scene) => Params = () => ({})): Case[] => [
  {
    of: 'of a private channel',
    params: (scene) => ({ [name]: scene.privateId, ...more(scene) }),
    may: [...insiders, ...administrators],
    code: 'BAD_REQUEST',
  },
  {
    of: 'of a public channel',
    params: (scene) => ({ [name]: scene.publicId, ...more(scene) }),
    may: members,
    code: 'BAD_REQUEST',
  },
];

/** What is for administrators alone. That of another organization finds nothing here. */
const ofAdministrators = (of: string, params: Case['params'], otherRealm = 'BAD_REQUEST'): Case[] => [
  { of, params, may: administrators, code: 'UNAUTHORIZED_PRINCIPAL', codes: { otherRealm } },
];

const makeProfileField = async ({ owner }: Scene, name: string) =>
  (await succeed(owner.post('/realm/profile_fields', { name, field_type: 1 })))['id'];

/** A field of the organization’s, filled in by whoever asks. */
const ofProfiles = (verb: string, fill: (id: unknown) => Params): Case[] => [
  {
    of: 'one’s own',
    params: async (here, caller) => fill(await makeProfileField(here, `${verb} by ${caller}`)),
    may: accounts,
    code: 'BAD_REQUEST',
  },
];

async function makeDefaultGroup({ owner }: Scene, name: string): Promise<number> {
  await succeed(
    owner.post('/default_stream_groups/create', { group_name: name, description: '', stream_names: [] }),
  );
  const { realm_default_stream_groups: groups } = await owner.post('/register', {
    fetch_event_types: ['default_stream_groups'],
  });
  return groups.find((group: { name: string }) => group.name === name).id;
}

const isAdministrator = (caller: Caller) => administrators.includes(caller);

/** A bot that belongs to Alice. */
const ofBots = (more: (of: { caller: Caller }) => Params = () => ({})): Case[] => [
  {
    of: 'of another',
    async params({ join, alice }, caller) {
      const bot = await join({
        name: `Robot for ${caller} ${Math.random()}`,
        botType: 1,
        botOwnerId: alice.id,
      });
      return { bot_id: bot.id, ...more({ caller }) };
    },
    may: administrators,
    code: 'BAD_REQUEST',
  },
];

/** What each may do with what is not theirs: at least one case per endpoint. */
const table: Record<string, Case[]> = {
  'GET /server_settings': [{ of: 'for all the world', params: () => ({}), may: [...callers] }],
  'POST /fetch_api_key': [
    {
      of: 'of another',
      async params({ join }, caller) {
        // Few guesses are free for each.
        const { email } = await join({ name: `Guessed ${caller}`, password: 'not what is guessed' });
        return { username: email, password: 'a guess' };
      },
      may: [],
      code: 'AUTHENTICATION_FAILED',
    },
  ],
  'POST /dev_fetch_api_key': [
    {
      of: 'by address, in development',
      params: ({ alice }) => ({ username: alice.email }),
      may: callers.filter((caller) => caller !== 'otherRealm'),
      code: 'AUTHENTICATION_FAILED',
    },
  ],
  'POST /register': own(),
  'GET /events': [
    ...own(() => ({ dont_block: true })),
    {
      of: 'of another’s queue',
      params: ({ queueId }) => ({ queue_id: queueId, last_event_id: -1, dont_block: true }),
      may: [],
      code: 'BAD_EVENT_QUEUE_ID',
      codes: { intruder: 'BAD_EVENT_QUEUE_ID', deactivated: 'BAD_EVENT_QUEUE_ID' },
    },
  ],
  // Only its sender changes what a message says; whoever may move messages moves them.
  'PATCH /messages/:message_id': [
    ...ofMessages({ content: 'changed' }).map((one) => ({ ...one, may: [] })),
    {
      of: 'to another topic of a public channel',
      params: async ({ alice, publicId }, caller) => {
        const sent = { type: 'channel', to: publicId, topic: `of ${caller}`, content: 'x' };
        return { message_id: (await alice.post('/messages', sent)).id, topic: `moved by ${caller}` };
      },
      may: members,
      code: 'BAD_REQUEST',
    },
  ],
  'DELETE /messages/:message_id': [
    ...ofMessages().map((one) => ({
      ...one,
      may: [],
      callers: callers.filter((it) => !isAdministrator(it)),
    })),
    {
      of: 'in a public channel, made to be deleted',
      params: async ({ alice, publicId }, caller) => {
        const sent = { type: 'channel', to: publicId, topic: `for ${caller}`, content: 'x' };
        return { message_id: (await alice.post('/messages', sent)).id };
      },
      may: administrators,
      code: 'BAD_REQUEST',
    },
  ],
  'POST /streams/:stream_id/delete_topic': [
    {
      of: 'of a public channel',
      params: async ({ alice, publicId }, caller) => {
        const topic = `deleted by ${caller}`;
        await alice.post('/messages', { type: 'channel', to: publicId, topic, content: 'x' });
        return { stream_id: publicId, topic_name: topic };
      },
      ...forAdministrators,
      // Guests do not see the channel.
      codes: { otherRealm: 'BAD_REQUEST', guest: 'BAD_REQUEST' },
    },
  ],
  'GET /messages/:message_id/history': ofMessages(),
  // No channel takes reports here.
  'POST /messages/:message_id/report': ofMessages({ report_type: 'spam' }).map((one) => ({
    ...one,
    may: [],
  })),
  'GET /users/me/alert_words': own(),
  'POST /users/me/alert_words': own(() => ({ alert_words: ['word'] })),
  'DELETE /users/me/alert_words': own(() => ({ alert_words: ['word'] })),
  'POST /users/me/muted_users/:muted_user_id': [
    {
      of: 'another',
      params: async ({ join }, caller) => ({
        muted_user_id: (await join({ name: `Muted by ${caller}` })).id,
      }),
      may: accounts,
      code: 'BAD_REQUEST',
    },
  ],
  'DELETE /users/me/muted_users/:muted_user_id': [
    {
      of: 'nobody has muted',
      params: ({ alice }) => ({ muted_user_id: alice.id }),
      may: [],
      code: 'BAD_REQUEST',
    },
  ],
  'GET /bots': [
    { of: 'one’s own', params: () => ({}), may: [...members, 'otherRealm'], code: 'BAD_REQUEST' },
  ],
  'POST /bots': [
    {
      of: 'of one’s own',
      params: (_, caller) => ({
        full_name: `Robot of ${caller}`,
        short_name: `robot-${caller.toLowerCase()}`,
      }),
      may: [...members, 'otherRealm'],
      code: 'BAD_REQUEST',
    },
  ],
  'PATCH /bots/:bot_id': ofBots(({ caller }) => ({ full_name: `Renamed by ${caller}` })),
  'DELETE /bots/:bot_id': ofBots(),
  'POST /bots/:bot_id/api_key/regenerate': ofBots(),
  'GET /users/me': own(),
  'GET /users': own(),
  'GET /users/:user': [
    { of: 'another', params: ({ alice }) => ({ user: alice.id }), may: accounts, code: 'BAD_REQUEST' },
    { of: 'by address', params: ({ alice }) => ({ user: alice.email }), may: accounts, code: 'BAD_REQUEST' },
  ],
  'POST /users': [
    {
      of: 'without being let',
      params: (_, caller) => ({
        email: `${caller}@made.example`,
        full_name: 'Made',
        password: 'a long password',
      }),
      may: [],
      code: 'UNAUTHORIZED_PRINCIPAL',
      codes: { owner: 'BAD_REQUEST', administrator: 'BAD_REQUEST', otherRealm: 'BAD_REQUEST' },
    },
  ],
  'PATCH /users/:user': [
    {
      of: 'another’s name',
      params: async ({ join }, caller) => ({
        user: (await join({ name: `Renamed by ${caller}` })).id,
        full_name: `Renamed as by ${caller}`,
      }),
      ...forAdministrators,
    },
    {
      of: 'another, to be an owner',
      params: async ({ join }, caller) => ({
        user: (await join({ name: `Raised by ${caller}` })).id,
        role: roles.owner,
      }),
      ...forAdministrators,
      may: ['owner'],
      codes: { administrator: 'UNAUTHORIZED_PRINCIPAL', otherRealm: 'BAD_REQUEST' },
    },
  ],
  'DELETE /users/:user_id': [
    {
      of: 'another',
      params: async ({ join }, caller) => ({ user_id: (await join({ name: `Ended by ${caller}` })).id }),
      ...forAdministrators,
    },
    {
      of: 'an owner',
      params: async ({ join }, caller) => ({
        user_id: (await join({ name: `Owner ended by ${caller}`, role: roles.owner })).id,
      }),
      ...forAdministrators,
      may: ['owner'],
      codes: { administrator: 'UNAUTHORIZED_PRINCIPAL', otherRealm: 'BAD_REQUEST' },
    },
  ],
  // Whoever may call it is no more.
  'DELETE /users/me': [{ of: 'of those who are not here', params: () => ({}), callers: nobody, may: [] }],
  'POST /users/:user_id/reactivate': [
    {
      of: 'another',
      async params({ join, owner }, caller) {
        const { id } = await join({ name: `Given back by ${caller}` });
        await owner.delete(`/users/${id}`);
        return { user_id: id };
      },
      ...forAdministrators,
    },
  ],
  'POST /users/me/avatar': [{ of: 'that is no file', params: () => ({}), may: [], code: 'BAD_REQUEST' }],
  'DELETE /users/me/avatar': own(),
  'POST /user_uploads': [{ of: 'without a file', params: () => ({}), may: [], code: 'BAD_REQUEST' }],
  'GET /user_uploads/:realm_id_str/:random/:filename': [
    {
      of: 'in a private channel',
      params({ upload }) {
        const [realm_id_str, random, filename] = upload.path.split('/');
        return { realm_id_str, random, filename };
      },
      may: insiders,
      code: 'NOT_FOUND',
    },
  ],
  'GET /attachments': own(),
  'DELETE /attachments/:attachment_id': [
    {
      of: 'another’s',
      params: ({ upload }) => ({ attachment_id: upload.id }),
      may: [],
      code: 'BAD_REQUEST',
    },
  ],
  'POST /users/me/api_key/regenerate': [
    // Whoever may call it loses the key that the next case would ask with.
    {
      of: 'of those who are not here',
      params: () => ({}),
      callers: nobody,
      may: [],
    },
  ],

  'POST /messages': [
    {
      of: 'to a private channel',
      params: ({ privateId }) => ({ type: 'channel', to: privateId, topic: 't', content: 'x' }),
      may: insiders,
      code: 'BAD_REQUEST',
      codes: { otherRealm: 'STREAM_DOES_NOT_EXIST' },
    },
    {
      of: 'to a public channel',
      params: ({ publicId }) => ({ type: 'channel', to: publicId, topic: 't', content: 'x' }),
      may: members,
      code: 'BAD_REQUEST',
      codes: { otherRealm: 'STREAM_DOES_NOT_EXIST' },
    },
    {
      of: 'to a person',
      params: ({ alice }) => ({ type: 'direct', to: [alice.id], content: 'x' }),
      may: accounts,
      code: 'BAD_REQUEST',
    },
  ],
  'GET /messages': [
    ...own(() => ({ anchor: 'newest', num_before: 100 })),
    {
      of: 'by their ids',
      params: ({ privateMessage, directMessage }) => ({ message_ids: [privateMessage, directMessage] }),
      may: anybody,
    },
    {
      of: 'in a private channel',
      params: ({ privateId }) => ({
        anchor: 'newest',
        num_before: 9,
        narrow: [{ operator: 'channel', operand: privateId }],
      }),
      // Administrators know of the channel, and find nothing in it.
      may: [...insiders, ...administrators],
      code: 'BAD_NARROW',
    },
    {
      of: 'with others',
      params: ({ alice, callers: { insider } }) => ({
        anchor: 'newest',
        num_before: 9,
        narrow: [{ operator: 'dm', operand: [alice.id, insider.id] }],
      }),
      may: accounts,
      code: 'BAD_NARROW',
    },
  ],
  'GET /messages/matches_narrow': own(({ privateMessage, directMessage }) => ({
    msg_ids: [privateMessage, directMessage],
    narrow: [],
  })),
  'POST /messages/render': own(() => ({ content: 'x' })),
  'GET /messages/:message_id': ofMessages(),
  'GET /messages/:message_id/read_receipts': ofMessages(),
  'POST /messages/:message_id/reactions': ofMessages({ emoji_name: 'tada' }),
  'DELETE /messages/:message_id/reactions': [
    {
      of: 'another’s',
      params: ({ publicMessage }) => ({ message_id: publicMessage, emoji_name: 'octopus' }),
      may: [],
      code: 'REACTION_DOES_NOT_EXIST',
      codes: { guest: 'BAD_REQUEST', otherRealm: 'BAD_REQUEST' },
    },
    {
      of: 'in a private channel',
      params: ({ privateMessage }) => ({ message_id: privateMessage, emoji_name: 'octopus' }),
      may: [],
      code: 'BAD_REQUEST',
      codes: { insider: 'REACTION_DOES_NOT_EXIST' },
    },
  ],

  'POST /messages/flags': ofMessages().map((one) => ({
    ...one,
    async params(scene, caller) {
      const { message_id } = await one.params(scene, caller);
      return { messages: [message_id], op: 'add', flag: 'starred' };
    },
  })),
  'POST /messages/flags/narrow': [
    {
      of: 'in a private channel',
      params: ({ privateId }) => ({
        anchor: 'newest',
        num_before: 9,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: privateId }],
        op: 'add',
        flag: 'read',
      }),
      // Administrators know of the channel, and find nothing in it.
      may: [...insiders, ...administrators],
      code: 'BAD_NARROW',
    },
  ],
  'POST /mark_all_as_read': own(),
  'POST /mark_stream_as_read': ofChannels('stream_id', {}, 'BAD_REQUEST'),
  'POST /mark_topic_as_read': [
    {
      of: 'of a private channel',
      params: ({ privateId }) => ({ stream_id: privateId, topic_name: 'zebra-topic' }),
      may: insiders,
      code: 'BAD_REQUEST',
    },
  ],

  'POST /typing': [
    {
      of: 'to a person',
      params: ({ alice }) => ({ op: 'start', to: [alice.id] }),
      may: accounts,
      code: 'BAD_REQUEST',
    },
    ...ofChannels('stream_id', { type: 'channel', op: 'start', topic: 't' }, 'BAD_REQUEST'),
  ],
  'POST /messages/:message_id/typing': ofMessages({ op: 'start' }).map((one) => ({ ...one, may: [] })),
  'POST /users/me/presence': own(() => ({ status: 'active' })),
  'GET /realm/presence': own(),
  'GET /users/:user_id_or_email/presence': [
    {
      of: 'another',
      params: ({ alice }) => ({ user_id_or_email: alice.id }),
      may: accounts,
      code: 'BAD_REQUEST',
    },
  ],
  'POST /users/me/status': own(() => ({ status_text: 'here' })),
  'POST /users/:user_id/status': [
    {
      of: 'another',
      params: ({ alice }) => ({ user_id: alice.id, status_text: 'there' }),
      may: administrators,
      code: 'UNAUTHORIZED_PRINCIPAL',
      codes: { otherRealm: 'BAD_REQUEST' },
    },
  ],
  'GET /users/:user_id/status': [
    {
      of: 'another',
      params: ({ alice }) => ({ user_id: alice.id }),
      may: accounts,
      code: 'BAD_REQUEST',
    },
  ],

  'GET /streams': [
    ...own(),
    {
      of: 'all of them',
      params: () => ({ include_all: true }),
      may: anybody,
    },
  ],
  'GET /users/me/subscriptions': own(),
  'POST /users/me/subscriptions': [
    {
      of: 'to a private channel',
      params: () => ({ subscriptions: [{ name: 'zebra-room' }] }),
      may: ['insider'],
      code: 'BAD_REQUEST',
      // There is none of this name: it is made.
      codes: { otherRealm: 'ok' },
    },
    {
      of: 'of others to a private channel',
      params: ({ bot }) => ({ subscriptions: [{ name: 'zebra-room' }], principals: [bot.id] }),
      may: insiders,
      code: 'BAD_REQUEST',
    },
  ],
  'PATCH /users/me/subscriptions': [
    {
      of: 'to a private channel',
      params: () => ({ add: [{ name: 'zebra-room' }] }),
      may: insiders,
      code: 'BAD_REQUEST',
      // There is one of this name by now.
      codes: { otherRealm: 'ok' },
    },
  ],
  'DELETE /users/me/subscriptions': [
    {
      of: 'of others to a private channel',
      params: ({ bot }) => ({ subscriptions: ['zebra-room'], principals: [bot.id] }),
      // The bot is the owner's.
      may: administrators,
      code: 'BAD_REQUEST',
    },
    {
      of: 'to a public channel',
      params: () => ({ subscriptions: ['open'] }),
      may: members,
      code: 'BAD_REQUEST',
    },
  ],
  'POST /users/me/subscriptions/properties': [
    {
      of: 'to a private channel',
      params: ({ privateId }) => ({
        subscription_data: [{ stream_id: privateId, property: 'is_muted', value: true }],
      }),
      may: insiders,
      code: 'BAD_REQUEST',
    },
  ],
  'PATCH /users/me/subscriptions/:stream_id': [
    {
      of: 'to a private channel',
      params: ({ privateId }) => ({ stream_id: privateId, property: 'is_muted', value: false }),
      may: insiders,
      code: 'BAD_REQUEST',
    },
  ],
  'POST /channels/create': [
    {
      of: 'one’s own',
      params: (_, caller) => ({ name: `made by ${caller}`, subscribers: [] }),
      may: [...members, 'otherRealm'],
      code: 'BAD_REQUEST',
    },
    {
      of: 'kept for ever',
      params: (_, caller) => ({
        name: `kept by ${caller}`,
        subscribers: [],
        message_retention_days: 'unlimited',
      }),
      may: ['owner', 'otherRealm'],
      code: 'UNAUTHORIZED_PRINCIPAL',
      codes: { guest: 'BAD_REQUEST' },
    },
  ],
  'GET /streams/:stream_id': ofSeenChannels('stream_id'),
  'PATCH /streams/:stream_id': ofSeenChannels('stream_id', () => ({ description: 'x' })).map((one) => ({
    ...one,
    may: administrators,
  })),
  'DELETE /streams/:stream_id': [
    {
      of: 'another’s',
      async params({ alice }, caller) {
        const { id } = await succeed(
          alice.post('/channels/create', { name: `archived by ${caller}`, subscribers: [] }),
        );
        return { stream_id: id };
      },
      may: administrators,
      code: 'BAD_REQUEST',
    },
  ],
  'GET /get_stream_id': [
    {
      of: 'of a private channel',
      params: () => ({ stream: 'zebra-room' }),
      may: [...insiders, ...administrators],
      code: 'BAD_REQUEST',
    },
  ],
  'GET /streams/:stream_id/members': ofSeenChannels('stream_id'),
  'GET /streams/:stream_id/email_address': ofChannels('stream_id', {}, 'BAD_REQUEST'),
  'GET /users/me/:stream_id/topics': ofChannels('stream_id', {}, 'BAD_REQUEST'),
  'GET /users/:user_id/subscriptions/:stream_id': ofSeenChannels('stream_id', ({ alice }) => ({
    user_id: alice.id,
  })),
  'GET /users/:user_id/channels': [
    { of: 'another’s', params: ({ alice }) => ({ user_id: alice.id }), may: accounts, code: 'BAD_REQUEST' },
  ],
  'POST /default_streams': ofAdministrators('a public channel', ({ publicId }) => ({ stream_id: publicId })),
  'DELETE /default_streams': ofAdministrators('a public channel', ({ publicId }) => ({
    stream_id: publicId,
  })),
  'POST /default_stream_groups/create': ofAdministrators(
    'the organization’s',
    (_, caller) => ({ group_name: `of ${caller}`, description: '', stream_names: [] }),
    'ok',
  ),
  'PATCH /default_stream_groups/:group_id': ofAdministrators('the organization’s', async (here, caller) => ({
    group_id: await makeDefaultGroup(here, `renamed by ${caller}`),
    new_description: 'x',
  })),
  'DELETE /default_stream_groups/:group_id': ofAdministrators('the organization’s', async (here, caller) => ({
    group_id: await makeDefaultGroup(here, `removed by ${caller}`),
  })),
  'PATCH /default_stream_groups/:group_id/streams': ofAdministrators(
    'the organization’s',
    async (here, caller) => ({
      group_id: await makeDefaultGroup(here, `filled by ${caller}`),
      op: 'add',
      stream_names: [],
    }),
  ),
  'GET /channel_folders': own(),
  'POST /channel_folders/create': ofAdministrators(
    'the organization’s',
    (_, caller) => ({ name: `of ${caller}`, description: '' }),
    'ok',
  ),
  'PATCH /channel_folders': ofAdministrators('the organization’s', async ({ owner }) => {
    const { channel_folders } = await owner.get('/channel_folders', { include_archived: true });
    return { order: channel_folders.map(({ id }: { id: number }) => id) };
  }),
  'PATCH /channel_folders/:channel_folder_id': ofAdministrators(
    'the organization’s',
    async ({ owner }, caller) => {
      const made = await succeed(
        owner.post('/channel_folders/create', { name: `changed by ${caller}`, description: '' }),
      );
      return { channel_folder_id: made['channel_folder_id'], description: 'x' };
    },
  ),
  'GET /realm/profile_fields': own(),
  'POST /realm/profile_fields': ofAdministrators(
    'the organization’s',
    (_, caller) => ({ name: `of ${caller}`, field_type: 1 }),
    'ok',
  ),
  'PATCH /realm/profile_fields': ofAdministrators('the organization’s', async (here, caller) => {
    await makeProfileField(here, `put in order by ${caller}`);
    const { custom_fields } = await here.owner.get('/realm/profile_fields');
    return { order: custom_fields.map(({ id }: { id: number }) => id) };
  }),
  'PATCH /realm/profile_fields/:field_id': ofAdministrators('the organization’s', async (here, caller) => ({
    field_id: await makeProfileField(here, `changed by ${caller}`),
    hint: 'x',
  })),
  'DELETE /realm/profile_fields/:field_id': ofAdministrators('the organization’s', async (here, caller) => ({
    field_id: await makeProfileField(here, `removed by ${caller}`),
  })),
  'PATCH /users/me/profile_data': ofProfiles('filled', (id) => ({ data: [{ id, value: 'x' }] })),
  'DELETE /users/me/profile_data': ofProfiles('cleared', (id) => ({ data: [id] })),
  'POST /user_topics': ofChannels('stream_id', { topic: 'zebra-topic', visibility_policy: 3 }, 'BAD_REQUEST'),
  'PATCH /users/me/subscriptions/muted_topics': ofChannels(
    'stream_id',
    { topic: 'zebra-topic', op: 'add' },
    'BAD_REQUEST',
  ),

  'PATCH /settings': own(() => ({ enter_sends: true })),
  'PATCH /settings/display': own(() => ({ enter_sends: true })),
  'PATCH /settings/notifications': own(() => ({ enable_sounds: false })),
  'PATCH /realm': [
    {
      of: 'the organization',
      params: () => ({ description: 'x' }),
      may: [...administrators, 'otherRealm'],
      code: 'UNAUTHORIZED_PRINCIPAL',
    },
    {
      of: 'what is for owners',
      params: () => ({ waiting_period_threshold: 1 }),
      may: ['owner', 'otherRealm'],
      code: 'UNAUTHORIZED_PRINCIPAL',
    },
  ],
  'PATCH /realm/user_settings_defaults': [
    {
      of: 'the organization’s',
      params: () => ({ enter_sends: true }),
      may: [...administrators, 'otherRealm'],
      code: 'UNAUTHORIZED_PRINCIPAL',
    },
  ],
  'GET /realm/emoji': own(),
  'DELETE /realm/emoji/:emoji_name': [
    {
      of: 'another’s',
      async params(scene, caller) {
        const name = caller.toLowerCase();
        await uploadEmoji(scene, name);
        return { emoji_name: name };
      },
      may: administrators,
      code: 'BAD_REQUEST',
      codes: { otherRealm: 'NOT_FOUND' },
    },
  ],
};

/** Endpoints whose cases are still to be written. */
const missing: string[] = [];

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

const succeed = async (reply: Promise<Params>): Promise<Params> => {
  const body = await reply;
  expect(body).toMatchObject({ result: 'success' });
  return body;
};

async function prepare(): Promise<Scene> {
  const people = await realm();
  const { alice, bob, carol, owner, admin, moderator, guest, join } = people;
  const { owner: otherRealm } = await realm();
  const deactivated = await join({ name: 'Dora' });
  await succeed(owner.delete(`/users/${deactivated.id}`));
  await succeed(owner.patch('/realm', { enable_read_receipts: true }));

  const subscribe = (name: string, principals: Person[], more: Params = {}) =>
    succeed(
      alice.post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: principals.map(({ id }) => id),
        ...more,
      }),
    );
  await subscribe('zebra-room', [alice, bob], { invite_only: true, history_public_to_subscribers: true });
  await subscribe('open', [alice]);
  const { streams } = await alice.get('/streams');
  const idOf = (wanted: string): number =>
    streams.find(({ name }: { name: string }) => name === wanted).stream_id;
  const send = async (params: Params): Promise<number> =>
    (await alice.post('/messages', { content: 'zebra-words', topic: 'zebra-topic', ...params })).id;

  await alice.upload('/user_uploads', [{ name: 'zebra-file.txt', content: 'a', type: 'text/plain' }]);
  const [upload] = (await alice.get('/attachments')).attachments;

  const scene: Scene = {
    ...people,
    callers: {
      insider: bob,
      owner,
      administrator: admin,
      moderator,
      member: carol,
      guest,
      otherRealm,
      intruder: otherRealm,
      deactivated,
      anonymous: carol,
    },
    privateId: idOf('zebra-room'),
    publicId: idOf('open'),
    privateMessage: await send({
      type: 'channel',
      to: idOf('zebra-room'),
      content: `zebra-words [zebra-file](/user_uploads/${upload.path_id})`,
    }),
    publicMessage: await send({ type: 'channel', to: idOf('open'), content: 'x', topic: 't' }),
    directMessage: await send({ type: 'direct', to: [bob.id] }),
    upload: { id: upload.id, path: upload.path_id },
    queueId: (await alice.listen()).queueId,
  };
  await succeed(alice.post('/users/me/presence', { status: 'active' }));
  for (const id of [scene.privateMessage, scene.publicMessage]) {
    await succeed(alice.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' }));
  }
  return scene;
}

let scene: Scene;
beforeAll(async () => {
  scene = await prepare();
}, 60_000);

async function ask({ method, path }: Endpoint, caller: Caller, params: Params): Promise<Reply> {
  const { [caller]: person } = scene.callers;
  const rest = { ...params };
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const { [name]: value } = rest;
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  return await person.ask(method, filled, rest, {
    ...(caller === 'anonymous' && { authorization: null }),
    ...(caller === 'intruder' && {
      host: scene.realm.host,
      authorization: basic(person.email, person.apiKey),
    }),
  });
}

function expected({ auth }: Endpoint, { may, code, codes }: Case, caller: Caller): string | undefined {
  if (codes?.[caller] !== undefined) return codes[caller];
  if (auth !== 'none' && nobody.includes(caller)) return 'UNAUTHORIZED';
  return may.includes(caller) ? 'ok' : code;
}

const cases = endpoints.flatMap((endpoint) =>
  (table[nameOf(endpoint)] ?? []).map((one) => [`${nameOf(endpoint)}, ${one.of}`, endpoint, one] as const),
);

describe('who may do what', () => {
  test.each(cases)('%s', async (_, endpoint, one) => {
    const answers: Partial<Record<Caller, string>> = {};
    const asking = one.callers ?? callers;
    for (const caller of asking) {
      const params = await one.params(scene, caller);
      const { status, body, text } = await ask(endpoint, caller, params);
      answers[caller] = status === 200 ? 'ok' : body.code;
      const sent = JSON.stringify(params);
      const told = secrets.filter(
        ({ text: secret, isFor }) =>
          !isFor.includes(caller) && !sent.includes(secret) && text.includes(secret),
      );
      expect(told, `${caller} was told what is not theirs to know: ${text.slice(0, 300)}`).toEqual([]);
    }
    expect(answers).toEqual(
      Object.fromEntries(asking.map((caller) => [caller, expected(endpoint, one, caller)])),
    );
  });

  test('is said of every endpoint', () => {
    const said = [...Object.keys(table), ...missing].sort();
    expect(said, 'a new endpoint needs a case in `table`').toEqual(endpoints.map(nameOf).sort());
  });
});
