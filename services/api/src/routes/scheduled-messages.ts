import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { ApiError, ScheduledMessage, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form, id } from '../endpoint/endpoint.ts';
import { isInteractive } from './messages/interactive.ts';
import { type MessageType, isChannelType } from './messages/recipient.ts';

const types = ['direct', 'private', 'channel', 'stream'] as const;

/** The id of a channel, or those of users. */
const to = form.json(z.union([id, z.array(id).min(1).max(limits.recipientsPerMessage)]));

const time = form.int(0, limits.timestampMax);

const storedType = (type: MessageType): 'stream' | 'private' => (isChannelType(type) ? 'stream' : 'private');

const asList = (ids: number | number[]) => (typeof ids === 'number' ? [ids] : ids);

/** @throws BAD_REQUEST for no single channel, or no topic */
function readRecipient(
  type: MessageType,
  ids: number | number[],
  topic: string | undefined,
): actions.messages.Recipient {
  if (!isChannelType(type)) return { type: 'direct', users: asList(ids) };
  const [channel, ...more] = asList(ids);
  if (channel === undefined || more.length > 0) {
    throw new ApiError('BAD_REQUEST', 'Name exactly one channel.');
  }
  if (topic === undefined) throw new ApiError('BAD_REQUEST', 'A message to a channel needs a topic.');
  return { type: 'channel', channel, topic };
}

/** A message to nobody but its sender comes as unread, so that it is noticed. */
const isReadByDefault = (client: string, recipient: actions.messages.Recipient, senderId: number) =>
  isInteractive(client) && !(recipient.type === 'direct' && recipient.users.every((one) => one === senderId));

const errors = [
  'STREAM_DOES_NOT_EXIST',
  'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
  'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
] as const;

export const scheduledMessageRoutes = [
  endpoint({
    method: 'GET',
    path: '/scheduled_messages',
    summary: "Lists the caller's messages that are yet to be sent, or could not be, by their times.",
    since: 173,
    errors: [],
    params: {},
    returns: { scheduled_messages: z.array(ScheduledMessage) },
    handle: async ({ actor, snapshot }) => ({
      scheduled_messages: await snapshot((tx) => model.scheduledMessages.scheduledMessagesState(tx, actor)),
    }),
  }),

  endpoint({
    method: 'POST',
    path: '/scheduled_messages',
    summary: 'Schedules a message of the caller to be sent later.',
    since: 179,
    errors,
    params: {
      type: form.oneOf(types),
      to,
      content: form.text(),
      topic: form.text().optional(),
      scheduled_delivery_timestamp: time,
      read_by_sender: form.bool().optional(),
    },
    returns: { scheduled_message_id: z.int() },
    async handle({ actor, params, client, clock, perform }) {
      const recipient = readRecipient(params.type, params.to, params.topic);
      const input = {
        recipient,
        content: params.content,
        dueAt: params.scheduled_delivery_timestamp,
        client,
        readBySender: params.read_by_sender ?? isReadByDefault(client, recipient, actor.id),
      };
      const nowMs = clock.nowMs();
      const created = await perform(actions.scheduledMessages.create, { actor, ...input, nowMs });
      return { scheduled_message_id: created.id };
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/scheduled_messages/:scheduled_message_id',
    summary: 'Changes a scheduled message of the caller. One that could not be sent needs a new time.',
    since: 184,
    errors,
    params: {
      scheduled_message_id: form.bigId(),
      type: form.oneOf(types).optional(),
      to: to.optional(),
      content: form.text().optional(),
      topic: form.text().optional(),
      scheduled_delivery_timestamp: time.optional(),
    },
    returns: {},
    async handle({ actor, params, clock, perform }) {
      const input = {
        id: params.scheduled_message_id,
        type: params.type && storedType(params.type),
        recipients: params.to === undefined ? undefined : asList(params.to),
        topic: params.topic,
        content: params.content,
        dueAt: params.scheduled_delivery_timestamp,
      };
      const nowMs = clock.nowMs();
      await perform(actions.scheduledMessages.edit, { actor, ...input, nowMs });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/scheduled_messages/:scheduled_message_id',
    summary: 'Deletes a scheduled message of the caller.',
    since: 173,
    errors: [],
    params: { scheduled_message_id: form.bigId() },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.scheduledMessages.remove, { actor, id: params.scheduled_message_id });
      return {};
    },
  }),
];
