import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { ApiError, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';

const topic = form.line(limits.topicLength);

export const userTopicRoutes = [
  endpoint({
    method: 'POST',
    path: '/user_topics',
    summary: 'Mutes, unmutes or follows a topic for the caller, or returns it to the default.',
    since: 170,
    errors: [],
    params: {
      stream_id: form.id(),
      topic,
      visibility_policy: form.json(z.literal(Object.values(model.userTopics.topicPolicies))),
    },
    returns: {},
    async handle({ actor, params: { stream_id, topic: name, visibility_policy }, perform }) {
      const input = { channel: stream_id, topic: name, policy: visibility_policy };
      await perform(actions.userTopics.setPolicy, { actor, ...input });
      return {};
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/users/me/subscriptions/muted_topics',
    summary: 'Mutes or unmutes a topic for the caller; POST /user_topics has replaced it.',
    since: null,
    errors: [],
    params: {
      stream_id: form.id().optional(),
      stream: form.line(1000).optional(),
      topic,
      op: form.text(),
    },
    returns: {},
    async handle({ actor, params: { stream_id, stream, topic: name, op }, perform }) {
      if (stream_id !== undefined && stream !== undefined) {
        throw new ApiError('BAD_REQUEST', "Send either 'stream_id' or 'stream', not both.", {
          parameters: 'stream_id, stream',
        });
      }
      const channel = stream_id ?? stream;
      if (channel === undefined) {
        throw new ApiError('REQUEST_VARIABLE_MISSING', "The parameter 'stream_id' is missing.", {
          var_name: 'stream_id',
        });
      }
      if (op !== 'add' && op !== 'remove')
        throw new ApiError('BAD_REQUEST', "'op' must be 'add' or 'remove'.");
      const act = op === 'add' ? actions.userTopics.mute : actions.userTopics.unmute;
      await perform(act, { actor, channel, topic: name });
      return {};
    },
  }),
];
