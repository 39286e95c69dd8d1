import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { UserStatus } from '@parley/protocol';

import { endpoint, form } from '../endpoint/endpoint.ts';

const params = {
  status_text: form.line(10_000).optional(),
  emoji_name: form.line(100).optional(),
  emoji_code: form.line(100).optional(),
  reaction_type: form.line(100).optional(),
};

export const userStatusRoutes = [
  endpoint({
    method: 'POST',
    path: '/users/me/status',
    summary: "Sets or clears the caller's status text and emoji.",
    since: null,
    errors: [],
    requires: ['human'],
    params: { ...params, away: form.bool().optional() },
    returns: {},
    async handle({ actor, realm, params: { away, ...status }, clock, perform, snapshot }) {
      const request = { ...status, away };
      await snapshot((tx) => actions.userStatus.parseRequest(tx, realm.id, request));
      // `away` is a deprecated name of the presence setting. Events about the setting come before the status event.
      if (away !== undefined && away === actor.settings.presence_enabled) {
        const edit = { settings: { presence_enabled: !away }, isStatusKept: true, nowMs: clock.nowMs() };
        await perform(actions.users.editSettings, { actor, ...edit });
      }
      await perform(actions.userStatus.set, { actor, request });
      return {};
    },
  }),

  endpoint({
    method: 'POST',
    path: '/users/:user_id/status',
    summary: "Sets or clears another user's status text and emoji.",
    since: 407,
    errors: [],
    requires: ['administrator'],
    params: { user_id: form.id(), ...params },
    returns: {},
    async handle({ actor, params: { user_id, ...status }, perform }) {
      await perform(actions.userStatus.setForUser, { actor, userId: user_id, request: status });
      return {};
    },
  }),

  endpoint({
    method: 'GET',
    path: '/users/:user_id/status',
    summary: "Answers with a user's status text and emoji.",
    since: 262,
    errors: [],
    params: { user_id: form.id() },
    returns: { status: UserStatus },
    async handle({ actor, params, snapshot }) {
      return { status: await snapshot((tx) => model.userStatus.getUserStatus(tx, actor, params.user_id)) };
    },
  }),
];
