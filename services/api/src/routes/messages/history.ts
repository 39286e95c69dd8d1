import * as model from '@parley/model';
import { MessageSnapshot } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../../endpoint/endpoint.ts';

export const historyRoute = endpoint({
  method: 'GET',
  path: '/messages/:message_id/history',
  summary: 'Lists the states that a message has had, from the original to the present one.',
  since: null,
  errors: [],
  fromReplicas: true,
  params: { message_id: form.bigId(), allow_empty_topic_name: form.bool().default(false) },
  returns: { message_history: z.array(MessageSnapshot).min(1) },
  async handle({ actor, params, snapshot }) {
    const { message_id, allow_empty_topic_name } = params;
    return {
      message_history: await snapshot((tx) =>
        model.messages.listMessageHistory(tx, actor, message_id, allow_empty_topic_name),
      ),
    };
  },
});
