import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { User, limits, roles } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form, id } from '../endpoint/endpoint.ts';
import { ownList } from '../http/json-text.ts';
import { profileValues } from './profile-fields.ts';

const role = z.literal(Object.values(roles));

/** A user's id or email address; both are sent in the same place of the path. */
const idOrEmail = form.line(254).transform((raw) => (/^\d+$/.test(raw) ? Number(raw) : raw));

const detailParams = {
  client_gravatar: form.bool().default(true),
  include_custom_profile_fields: form.bool().default(false),
};

interface DetailParams {
  client_gravatar: boolean;
  include_custom_profile_fields: boolean;
}

const optionsOf = (params: DetailParams) => ({
  clientGravatar: params.client_gravatar,
  withProfile: params.include_custom_profile_fields,
});

export const userRoutes = [
  endpoint({
    method: 'GET',
    path: '/users',
    summary: "Lists the organization's users, including deactivated ones and bots.",
    since: null,
    errors: [],
    fromReplicas: true,
    auth: 'spectator',
    params: {
      ...detailParams,
      user_ids: form.json(z.array(z.int()).max(limits.principalsPerRequest)).optional(),
    },
    returns: { members: z.array(User) },
    async handle({ actor, realm, params, snapshot }) {
      const isOutside = model.realms.isSpectator(actor);
      const options = isOutside ? { clientGravatar: false, withProfile: false } : optionsOf(params);
      const shown = (user: User) =>
        isOutside ? model.realms.presentToSpectators(user, realm.emailDomain) : user;
      return await snapshot(async (tx) => {
        if (!params.user_ids) {
          const all = model.users.presentAllAccounts(tx, actor, options);
          return { members: await ownList(all, shown) };
        }
        const rows = await model.users.listAccounts(tx, actor, params.user_ids);
        return { members: (await model.users.presentAccounts(tx, rows, actor, options)).map(shown) };
      });
    },
  }),

  endpoint({
    method: 'GET',
    path: '/users/me',
    summary: "Answers with the caller's own account.",
    since: null,
    errors: [],
    params: {},
    returns: { ...User.shape, max_message_id: z.int() },
    async handle({ actor, snapshot }) {
      return await snapshot(async (tx) => {
        const me = await model.users.getUser(tx, actor, actor.id);
        const options = { clientGravatar: false, withProfile: true };
        return {
          ...(await model.users.presentAccount(tx, me, actor, options)),
          max_message_id: await model.messages.getMaxMessageId(tx, actor),
        };
      });
    },
  }),

  endpoint({
    method: 'GET',
    path: '/users/:user',
    summary: 'Answers with one user, who is named by id or by email address.',
    since: null,
    errors: [],
    params: { user: idOrEmail, ...detailParams },
    returns: { user: User },
    async handle({ actor, params, snapshot }) {
      return await snapshot(async (tx) => {
        const row = await model.users.getUser(tx, actor, params.user);
        return { user: await model.users.presentAccount(tx, row, actor, optionsOf(params)) };
      });
    },
  }),

  endpoint({
    method: 'POST',
    path: '/users',
    summary: 'Creates an account for somebody else.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: { email: form.line(254), password: form.text(), full_name: form.text() },
    returns: { user_id: z.int() },
    async handle({ actor, params, clock, perform }) {
      const { email, password, full_name: fullName } = params;
      const welcome = { nowMs: clock.nowMs() };
      const account = { email, password, fullName, role: roles.member, welcome };
      const { user } = await perform(actions.users.createByAdministrator, { actor, user: account });
      return { user_id: user.id };
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/users/:user',
    summary: 'Changes the name, role, email address or profile of another user.',
    since: null,
    errors: [],
    requires: ['administrator'],
    isLong: true,
    params: {
      user: idOrEmail,
      full_name: form.text().optional(),
      role: form.json(role).optional(),
      new_email: form.line(254).optional(),
      profile_data: profileValues.optional(),
    },
    returns: {},
    async handle({ actor, params, clock, perform }) {
      const { user, full_name, role: newRole, new_email: newEmail, profile_data: profile } = params;
      const fullName = full_name === '' ? undefined : full_name;
      const email = newEmail === undefined ? undefined : { address: newEmail, nowMs: clock.nowMs() };
      await perform(actions.users.edit, { actor, user, fullName, role: newRole, newEmail: email, profile });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/users/me',
    summary: "Deactivates the caller's own account.",
    since: null,
    errors: ['CANNOT_DEACTIVATE_LAST_USER'],
    params: {},
    returns: {},
    async handle({ actor, perform }) {
      await perform(actions.activation.deactivateSelf, { actor });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/users/:user_id',
    summary: "Deactivates a user's account and the bots that the user owns.",
    since: null,
    errors: [],
    requires: ['administrator'],
    params: {
      user_id: form.json(id),
      deactivation_notification_comment: form.line(2000).optional(),
    },
    returns: {},
    async handle({ actor, params: { user_id }, perform }) {
      await perform(actions.activation.deactivate, { actor, userId: user_id });
      return {};
    },
  }),

  endpoint({
    method: 'POST',
    path: '/users/:user_id/reactivate',
    summary: 'Reactivates a deactivated user or bot.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: { user_id: form.json(id) },
    returns: {},
    async handle({ actor, params: { user_id }, perform }) {
      await perform(actions.activation.reactivate, { actor, userId: user_id });
      return {};
    },
  }),

  endpoint({
    method: 'POST',
    path: '/users/me/api_key/regenerate',
    summary: 'Gives the caller a new API key and ends the old one.',
    since: null,
    errors: [],
    params: {},
    returns: { api_key: z.string() },
    async handle({ actor, perform, auth }) {
      const { user } = await perform(actions.users.endApiKey, { user: actor });
      return { api_key: auth.apiKeyOf(user) };
    },
  }),
];
