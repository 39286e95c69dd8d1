import * as actions from '@parley/actions';
import { limits } from '@parley/protocol';

import { endpoint, form } from '../../endpoint.ts';

const emoji = {
  emoji_code: form.line(limits.emojiLength).optional(),
  reaction_type: form.line(limits.emojiLength).optional(),
};

export const reactionRoutes = [
  endpoint({
    method: 'POST',
    path: '/messages/:message_id/reactions',
    params: { message_id: form.id(), emoji_name: form.line(limits.emojiLength), ...emoji },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform((tx) => actions.reactions.add(tx, actor, params));
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/messages/:message_id/reactions',
    params: { message_id: form.id(), emoji_name: form.line(limits.emojiLength).optional(), ...emoji },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform((tx) => actions.reactions.remove(tx, actor, params));
      return {};
    },
  }),
];
