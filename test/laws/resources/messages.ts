import { type Params, type Person, succeed } from '../../support/index.ts';
import { accounts, administrators, anybody, callers, insiders, members } from '../fixtures/callers.ts';
import { type Table, forAdministrators, ofChannels, ofMessages, own } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

/** A vote in a poll that somebody has just sent. */
const voteOn = async (by: Person, to: Params): Promise<Params> => ({
  message_id: (await succeed(by.post('/messages', { ...to, content: '/poll zebra-words' })))['id'],
  msg_type: 'widget',
  content: '{"type":"vote","key":"canned,0","vote":1}',
});

/** Messages, and what is done to them. */
export const access: Table = {
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
      callers: callers.filter((it) => !administrators.includes(it)),
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
  'POST /submessage': [
    {
      of: 'in a private channel',
      params: async ({ alice, privateId }) => voteOn(alice, { type: 'channel', to: privateId, topic: 't' }),
      may: insiders,
      code: 'BAD_REQUEST',
    },
    {
      of: 'in a public channel',
      params: async ({ alice, publicId }) => voteOn(alice, { type: 'channel', to: publicId, topic: 't' }),
      may: members,
      code: 'BAD_REQUEST',
    },
    {
      of: 'between others',
      params: async ({ alice, bob }) => voteOn(alice, { type: 'direct', to: [bob.id] }),
      may: insiders,
      code: 'BAD_REQUEST',
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
      params: ({ privateMessage, directMessage, protectedMessage }) => ({
        message_ids: [privateMessage, directMessage, protectedMessage],
      }),
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
  'GET /messages/summary': [
    { of: 'without a model', params: () => ({ narrow: [] }), may: [], code: 'BAD_REQUEST' },
  ],
  'GET /messages/matches_narrow': own(({ privateMessage, directMessage, protectedMessage }) => ({
    msg_ids: [privateMessage, directMessage, protectedMessage],
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
    async params(fixture, caller) {
      const { message_id } = await one.params(fixture, caller);
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
};

export const requests: Requests = {
  'POST /messages': ({ bob }) => ({ type: 'direct', to: `[${bob.id}]`, content: 'x' }),
  'POST /submessage': ({ ownMessageId }) => ({
    message_id: String(ownMessageId),
    msg_type: 'widget',
    content: '{}',
  }),
  'GET /messages': () => ({ anchor: 'newest', num_before: '5' }),
  'GET /messages/:message_id': ({ messageId }) => ({ message_id: String(messageId) }),
  'GET /messages/summary': () => ({ narrow: '[]' }),
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
  'POST /typing': ({ bob }) => ({ op: 'start', to: `[${bob.id}]` }),
  'POST /messages/:message_id/typing': ({ ownMessageId }) => ({
    message_id: String(ownMessageId),
    op: 'start',
  }),
};
