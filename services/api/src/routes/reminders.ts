import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { Reminder, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';

export const reminderRoutes = [
  endpoint({
    method: 'GET',
    path: '/reminders',
    summary: "Lists the caller's reminders by their times.",
    since: 399,
    errors: [],
    params: {},
    returns: { reminders: z.array(Reminder) },
    handle: async ({ actor, snapshot }) => ({
      reminders: await snapshot((tx) => model.reminders.remindersState(tx, actor)),
    }),
  }),

  endpoint({
    method: 'POST',
    path: '/reminders',
    summary: 'Lets the caller be reminded of a message by a direct message later.',
    since: 381,
    errors: [],
    params: {
      message_id: form.bigId(),
      scheduled_delivery_timestamp: form.int(0, limits.timestampMax),
      note: form.text().default(''),
    },
    returns: { reminder_id: z.int() },
    async handle({ actor, params, clock, perform }) {
      const input = {
        messageId: params.message_id,
        dueAt: params.scheduled_delivery_timestamp,
        note: params.note,
      };
      const nowMs = clock.nowMs();
      const { id } = await perform(actions.reminders.create, { actor, ...input, nowMs });
      return { reminder_id: id };
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/reminders/:reminder_id',
    summary: 'Deletes a reminder of the caller.',
    since: 399,
    errors: [],
    params: { reminder_id: form.bigId() },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.reminders.remove, { actor, id: params.reminder_id });
      return {};
    },
  }),
];
