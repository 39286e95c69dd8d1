import * as actions from '@parley/actions';
import { getActivePerson, getUserStatus } from '@parley/model';
import { UserStatus } from '@parley/protocol';

import { endpoint, form } from '../endpoint.ts';

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
    only: ['human'],
    params: { ...params, away: form.bool().optional() },
    returns: {},
    async handle({ actor, realm, params: { away, ...wanted }, clock, aside, commit, snapshot, tell }) {
      const change = await snapshot((tx) =>
        actions.userStatus.parseStatus(tx, realm.id, { ...wanted, away }),
      );
      // An old word for a setting, which is told first; then presence, and last the status itself.
      if (away !== undefined && away === actor.settings.presence_enabled) {
        const settings = { presence_enabled: !away };
        await commit((tx) => actions.users.editSettings(tx, actor, { settings, isStatusKept: true }));
        const told = await aside((tx) => actions.presence.setVisibility(tx, actor, !away, clock.nowMs()));
        if (told) await tell(told);
      }
      await commit((tx) => actions.userStatus.setStatus(tx, realm, actor, change));
      return {};
    },
  }),

  endpoint({
    method: 'POST',
    path: '/users/:user_id/status',
    since: 407,
    only: ['administrator'],
    params: { user_id: form.id(), ...params },
    returns: {},
    async handle({ actor, realm, params: { user_id, ...wanted }, commit }) {
      await commit(async (tx) => {
        const user = await getActivePerson(tx, actor, user_id);
        return await actions.userStatus.setStatus(
          tx,
          realm,
          user,
          await actions.userStatus.parseStatus(tx, realm.id, wanted),
        );
      });
      return {};
    },
  }),

  endpoint({
    method: 'GET',
    path: '/users/:user_id/status',
    params: { user_id: form.id() },
    returns: { status: UserStatus },
    async handle({ actor, params, snapshot }) {
      return { status: await snapshot((tx) => getUserStatus(tx, actor, params.user_id)) };
    },
  }),
];
