import { succeed } from '../../support/index.ts';
import { accounts, administrators, anybody, insiders, members } from '../fixtures/callers.ts';
import { type Table, ofAdministrators, ofChannels, ofSeenChannels, own } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

/** Channels, subscriptions, folders and topics. */
export const access: Table = {
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
  'POST /user_topics': ofChannels('stream_id', { topic: 'zebra-topic', visibility_policy: 3 }, 'BAD_REQUEST'),
  // None of them is subscribed to the public one.
  'PATCH /users/me/subscriptions/muted_topics': ofChannels(
    'stream_id',
    { topic: 'zebra-topic', op: 'add' },
    'BAD_REQUEST',
  ).map((one) => (one.of === 'of a public channel' ? { ...one, may: [] } : one)),
};

export const requests: Requests = {
  'GET /streams': () => ({}),
  'GET /users/me/subscriptions': () => ({}),
  'PATCH /users/me/subscriptions': ({ channelName }) => ({ delete: JSON.stringify([channelName]) }),
  'DELETE /users/me/subscriptions': ({ channelName }) => ({ subscriptions: JSON.stringify([channelName]) }),
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
  'GET /get_stream_id': ({ channelName }) => ({ stream: channelName }),
  'GET /streams/:stream_id/members': ({ channelId }) => ({ stream_id: String(channelId) }),
  'GET /streams/:stream_id/email_address': ({ channelId }) => ({ stream_id: String(channelId) }),
  'GET /users/me/:stream_id/topics': ({ channelId }) => ({ stream_id: String(channelId) }),
  'GET /users/:user_id/subscriptions/:stream_id': ({ bob, channelId }) => ({
    user_id: String(bob.id),
    stream_id: String(channelId),
  }),
  'GET /users/:user_id/channels': ({ bob }) => ({ user_id: String(bob.id) }),
  'GET /channel_folders': () => ({}),
  'POST /channel_folders/create': () => ({ name: 'Another', description: '' }),
  'PATCH /channel_folders': ({ folderId }) => ({ order: `[${folderId}]` }),
  'PATCH /channel_folders/:channel_folder_id': ({ folderId }) => ({
    channel_folder_id: String(folderId),
    description: 'x',
  }),
  'POST /users/me/subscriptions': () => ({ subscriptions: '[{"name":"walked"}]' }),
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
};
