import * as actions from '@parley/actions';

import { endpoint, form } from '../endpoint/endpoint.ts';

const path = '/users/me/muted_users/:muted_user_id';
const params = { muted_user_id: form.id() };

export const mutedUserRoutes = [
  endpoint({
    method: 'POST',
    path,
    summary: 'Mutes a user for the caller.',
    since: null,
    errors: [],
    params,
    returns: {},
    async handle({ actor, params: { muted_user_id }, perform }) {
      await perform(actions.mutedUsers.mute, { actor, userId: muted_user_id });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path,
    summary: 'Unmutes a user for the caller.',
    since: null,
    errors: [],
    params,
    returns: {},
    async handle({ actor, params: { muted_user_id }, perform }) {
      await perform(actions.mutedUsers.unmute, { actor, userId: muted_user_id });
      return {};
    },
  }),
];
