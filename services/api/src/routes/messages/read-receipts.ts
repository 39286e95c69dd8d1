import * as model from '@parley/model';
import { z } from 'zod';

import { endpoint, form } from '../../endpoint/endpoint.ts';

export const readReceiptsRoute = endpoint({
  method: 'GET',
  path: '/messages/:message_id/read_receipts',
  summary: 'Lists the ids of the users who have read a message.',
  since: 137,
  errors: [],
  fromReplicas: true,
  params: { message_id: form.bigId() },
  returns: { user_ids: z.array(z.int()) },
  async handle({ actor, params, snapshot }) {
    return {
      user_ids: await snapshot((tx) => model.messages.listMessageReaders(tx, actor, params.message_id)),
    };
  },
});
