import { inSeconds } from '../../support/index.ts';
import type { Fixture } from '../fixtures/access.ts';
import { accounts, anybody, insiders, members } from '../fixtures/callers.ts';
import { type Table, ofMessages, own } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

const soon = () => inSeconds(86_400);

const scheduledOf = async ({ alice, bob }: Fixture) => {
  const { scheduled_message_id } = await alice.post('/scheduled_messages', {
    type: 'direct',
    to: [bob.id],
    content: 'zebra-words',
    scheduled_delivery_timestamp: soon(),
  });
  return { scheduled_message_id: scheduled_message_id as number };
};

const reminderOf = async ({ alice, publicMessage }: Fixture) => {
  const { reminder_id } = await alice.post('/reminders', {
    message_id: publicMessage,
    note: 'zebra-words',
    scheduled_delivery_timestamp: soon(),
  });
  return { reminder_id: reminder_id as number };
};

/** What people have sent later. */
export const access: Table = {
  'GET /scheduled_messages': own(),
  'POST /scheduled_messages': [
    {
      of: 'to a private channel',
      params: ({ privateId }) => ({
        type: 'channel',
        to: privateId,
        topic: 't',
        content: 'x',
        scheduled_delivery_timestamp: soon(),
      }),
      may: insiders,
      code: 'BAD_REQUEST',
      codes: { otherRealm: 'STREAM_DOES_NOT_EXIST' },
    },
    {
      of: 'to a public channel',
      params: ({ publicId }) => ({
        type: 'channel',
        to: publicId,
        topic: 't',
        content: 'x',
        scheduled_delivery_timestamp: soon(),
      }),
      may: members,
      code: 'BAD_REQUEST',
      codes: { otherRealm: 'STREAM_DOES_NOT_EXIST' },
    },
    {
      of: 'to a person',
      params: ({ alice }) => ({
        type: 'direct',
        to: [alice.id],
        content: 'x',
        scheduled_delivery_timestamp: soon(),
      }),
      may: accounts,
      code: 'BAD_REQUEST',
    },
  ],
  'PATCH /scheduled_messages/:scheduled_message_id': [
    {
      of: 'somebody else’s',
      params: async (fixture) => ({ ...(await scheduledOf(fixture)), content: 'taken' }),
      may: [],
      code: 'BAD_REQUEST',
    },
    {
      of: 'one’s own, to a private channel',
      params: async ({ callers, privateId }, caller) => {
        const to = { type: 'direct', to: [callers[caller].id], content: 'x' };
        const by = callers[caller];
        const { scheduled_message_id = 0 } = await by.post('/scheduled_messages', {
          ...to,
          scheduled_delivery_timestamp: soon(),
        });
        return { scheduled_message_id, type: 'channel', to: privateId, topic: 't' };
      },
      may: insiders,
      code: 'BAD_REQUEST',
      codes: { otherRealm: 'STREAM_DOES_NOT_EXIST' },
    },
  ],
  'DELETE /scheduled_messages/:scheduled_message_id': [
    { of: 'somebody else’s', params: scheduledOf, may: [], code: 'BAD_REQUEST' },
  ],
  'GET /reminders': own(),
  'POST /reminders': [
    ...ofMessages({ scheduled_delivery_timestamp: soon() }),
    {
      of: 'of one’s own',
      params: async ({ callers }, caller) => {
        const by = callers[caller];
        const { id = 0 } = await by.post('/messages', { type: 'direct', to: [by.id], content: 'x' });
        return { message_id: id, scheduled_delivery_timestamp: soon() };
      },
      may: anybody,
    },
  ],
  'DELETE /reminders/:reminder_id': [
    { of: 'somebody else’s', params: reminderOf, may: [], code: 'BAD_REQUEST' },
  ],
};

export const requests: Requests = {
  'GET /scheduled_messages': () => ({}),
  'POST /scheduled_messages': ({ bob }) => ({
    type: 'direct',
    to: `[${bob.id}]`,
    content: 'x',
    scheduled_delivery_timestamp: String(soon()),
  }),
  'PATCH /scheduled_messages/:scheduled_message_id': ({ scheduledId }) => ({
    scheduled_message_id: String(scheduledId),
    content: 'changed',
  }),
  'DELETE /scheduled_messages/:scheduled_message_id': ({ scheduledId }) => ({
    scheduled_message_id: String(scheduledId),
  }),
  'GET /reminders': () => ({}),
  'POST /reminders': ({ messageId }) => ({
    message_id: String(messageId),
    scheduled_delivery_timestamp: String(soon()),
  }),
  'DELETE /reminders/:reminder_id': ({ reminderId }) => ({ reminder_id: String(reminderId) }),
};
