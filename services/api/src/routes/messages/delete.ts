import * as actions from '@parley/actions';
import { z } from 'zod';

import { endpoint, form } from '../../endpoint/endpoint.ts';

/** A request deletes batches for so long, and leaves the rest of the topic to the next request. */
const deletingMsMax = 50_000;
const batchMax = 1000;

export const deleteRoutes = [
  endpoint({
    method: 'DELETE',
    path: '/messages/:message_id',
    summary: 'Deletes a message.',
    since: null,
    errors: [],
    params: { message_id: form.bigId() },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.messages.deleteOne, { actor, id: params.message_id });
      return {};
    },
  }),

  endpoint({
    method: 'POST',
    path: '/streams/:stream_id/delete_topic',
    summary:
      'Deletes the messages of a topic; clients repeat the request until the reply says that it is complete.',
    since: null,
    errors: ['UNAUTHORIZED_PRINCIPAL'],
    params: { stream_id: form.id(), topic_name: form.text() },
    returns: { complete: z.boolean() },
    async handle({ actor, params, perform, clock }) {
      const startedMs = clock.nowMs();
      const deletion = {
        channelId: params.stream_id,
        topic: params.topic_name,
        batchMax,
      };
      for (;;) {
        const { isComplete } = await perform(actions.messages.deleteTopic, { actor, ...deletion });
        if (isComplete || clock.nowMs() - startedMs >= deletingMsMax) return { complete: isComplete };
      }
    },
  }),
];
