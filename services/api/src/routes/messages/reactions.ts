import * as actions from '@parley/actions';
import { limits } from '@parley/protocol';

import { endpoint, form } from '../../endpoint/endpoint.ts';

const emoji = {
  emoji_code: form.line(limits.emojiLength).optional(),
  reaction_type: form.line(limits.emojiLength).optional(),
};

export const reactionRoutes = [
  endpoint({
    method: 'POST',
    path: '/messages/:message_id/reactions',
    summary: "Adds the caller's emoji reaction to a message.",
    since: null,
    errors: ['REACTION_ALREADY_EXISTS'],
    params: { message_id: form.bigId(), emoji_name: form.line(limits.emojiLength), ...emoji },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.reactions.add, { actor, request: params });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/messages/:message_id/reactions',
    summary: "Removes the caller's emoji reaction from a message.",
    since: null,
    errors: ['REACTION_DOES_NOT_EXIST'],
    params: { message_id: form.bigId(), emoji_name: form.line(limits.emojiLength).optional(), ...emoji },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.reactions.remove, { actor, removal: params });
      return {};
    },
  }),
];
