import * as actions from '@parley/actions';
import { limits } from '@parley/protocol';

import { endpoint, form } from '../../endpoint/endpoint.ts';

export const submessageRoutes = [
  endpoint({
    method: 'POST',
    path: '/submessage',
    summary: 'Adds an answer or a change to the poll or to-do list of a message.',
    since: null,
    errors: [],
    params: {
      message_id: form.bigId(),
      msg_type: form.line(limits.submessageTypeLength),
      content: form.line(limits.messageLength),
    },
    returns: {},
    async handle({ actor, params, perform }) {
      const { message_id: messageId, msg_type: type, content } = params;
      await perform(actions.submessages.add, { actor, messageId, type, content });
      return {};
    },
  }),
];
