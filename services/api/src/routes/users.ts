import { messages, users } from '@parley/domain';
import { User } from '@parley/protocol';
import { z } from 'zod';

import { endpoint } from '../endpoint.ts';

export const userRoutes = [
  endpoint({
    method: 'GET',
    path: '/users/me',
    params: {},
    returns: { ...User.shape, max_message_id: z.int() },
    async handle({ actor, realm, snapshot }) {
      return await snapshot(async (tx) => {
        const [me] = await users.listUsers(tx, realm.id, [actor.id]);
        if (!me) throw new Error('The actor is not in the snapshot.');
        const view = { viewer: actor, realmHost: realm.host, clientGravatar: false, withProfile: true };
        return {
          ...users.presentUser(me, view),
          is_active: me.isActive,
          max_message_id: await messages.maxMessageId(tx, actor.id),
        };
      });
    },
  }),

  endpoint({
    method: 'POST',
    path: '/users/me/api_key/regenerate',
    params: {},
    returns: { api_key: z.string() },
    async handle({ actor, commit, apiKeyOf }) {
      const { user } = await commit((tx) => users.regenerateKey(tx, actor));
      return { api_key: apiKeyOf(user) };
    },
  }),
];
