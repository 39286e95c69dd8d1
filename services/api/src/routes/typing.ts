import * as actions from '@parley/actions';
import { ApiError, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form, id } from '../endpoint/endpoint.ts';

const op = form.oneOf(['start', 'stop']);

const missing = (name: string) =>
  new ApiError('REQUEST_VARIABLE_MISSING', `The parameter '${name}' is missing.`, { var_name: name });

export const typingRoutes = [
  endpoint({
    method: 'POST',
    path: '/typing',
    summary: 'Tells others that the caller has started or stopped typing a message.',
    since: null,
    errors: [],
    params: {
      type: form.oneOf(['direct', 'stream', 'channel']).default('direct'),
      op,
      to: form.json(z.array(id).max(limits.recipientsPerMessage)).optional(),
      stream_id: form.id().optional(),
      topic: form.text().optional(),
    },
    returns: {},
    async handle({ actor, params, perform }) {
      const { to, stream_id, topic } = params;
      if (params.type === 'direct') {
        if (to === undefined) throw missing('to');
        if (to.length === 0) throw new ApiError('BAD_REQUEST', "Empty 'to' list");
        await perform(actions.typing.composeDirect, { actor, op: params.op, userIds: to });
        return {};
      }
      if (stream_id === undefined) throw missing('stream_id');
      if (topic === undefined) throw new ApiError('BAD_REQUEST', 'A message to a channel needs a topic.');
      const place = { channelId: stream_id, topic };
      await perform(actions.typing.composeInChannel, { actor, op: params.op, ...place });
      return {};
    },
  }),

  endpoint({
    method: 'POST',
    path: '/messages/:message_id/typing',
    summary: 'Tells others that the caller has started or stopped editing a message.',
    since: 361,
    errors: [],
    params: { message_id: form.bigId(), op },
    returns: {},
    async handle({ actor, params, clock, perform }) {
      const { op, message_id } = params;
      await perform(actions.typing.editMessage, { actor, op, messageId: message_id, nowMs: clock.nowMs() });
      return {};
    },
  }),
];
