import { actorOf, isAdministrator } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, User, limits } from '@parley/protocol';
import { z } from 'zod';

import { assertActive, assertMaySignIn } from '../auth/log-in.ts';
import { noTokens } from '../auth/sign-in.ts';
import { endpoint, form } from '../endpoint/endpoint.ts';

const username = form.line(254);
const returns = { api_key: z.string(), email: z.string(), user_id: z.int() };
const DevelopmentUser = z.strictObject({ email: z.string(), realm_url: z.string() });
const unknown = () => new ApiError('AUTHENTICATION_FAILED', 'The username or password is wrong.');

export const loginRoutes = [
  endpoint({
    method: 'POST',
    path: '/fetch_api_key',
    summary: 'Answers with the API key of the account that a username and a password belong to.',
    since: null,
    errors: ['AUTHENTICATION_FAILED', 'PASSWORD_AUTH_DISABLED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED'],
    auth: 'none',
    params: { username, password: form.text() },
    returns,
    async handle({ params, auth }) {
      const user = await auth.logIn(params.username, params.password);
      return { api_key: auth.apiKeyOf(user), email: user.email, user_id: user.id };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/dev_fetch_api_key',
    summary: "Answers with an account's API key without a password, on development servers only.",
    since: null,
    errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED'],
    auth: 'none',
    developmentOnly: true,
    params: { username },
    returns,
    async handle({ realm, params, snapshot, auth }) {
      const [home, user] = await snapshot(
        async (tx) =>
          [
            await model.realms.getRealm(tx, realm.id),
            await model.users.findUserByEmail(tx, realm.id, params.username),
          ] as const,
      );
      if (!user) throw unknown();
      assertActive(user, home);
      return { api_key: auth.apiKeyOf(user), email: user.email, user_id: user.id };
    },
  }),

  endpoint({
    method: 'GET',
    path: '/dev_list_users',
    summary: 'Lists accounts that one may log in to without a password, on development servers only.',
    since: null,
    errors: [],
    auth: 'none',
    developmentOnly: true,
    params: {},
    returns: { direct_admins: z.array(DevelopmentUser), direct_users: z.array(DevelopmentUser) },
    async handle({ realm, snapshot }) {
      const rows = await snapshot((tx) => model.users.listHumans(tx, realm.id, limits.developmentUsers));
      const present = (areAdministrators: boolean) =>
        rows
          .filter((row) => isAdministrator(row) === areAdministrators)
          .map(({ email }) => ({ email, realm_url: realm.url }));
      return { direct_admins: present(true), direct_users: present(false) };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/jwt/fetch_api_key',
    summary: 'Answers with the API key of the account whose email address is in a signed JSON web token.',
    since: 160,
    errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED'],
    auth: 'none',
    params: { token: form.line(10_000), include_profile: form.bool().default(false) },
    returns: { api_key: z.string(), email: z.string(), user: User.optional() },
    async handle({ realm, params, snapshot, auth }) {
      const email = await auth.signIn.verifyJwt(params.token);
      return await snapshot(async (tx) => {
        const home = await model.realms.getRealm(tx, realm.id);
        if (!model.signIn.enabledMethods(home, auth.signIn.available).has('JWT')) throw noTokens();
        const user = await model.users.findUserByEmail(tx, realm.id, email);
        if (!user)
          throw new ApiError('AUTHENTICATION_FAILED', 'There is no account with this email address.');
        assertMaySignIn(user, home);
        const view = { clientGravatar: false, withProfile: true };
        const profile = params.include_profile && {
          user: await model.users.presentAccount(tx, user, actorOf(user, realm), view),
        };
        return { api_key: auth.apiKeyOf(user), email: user.email, ...profile };
      });
    },
  }),

  endpoint({
    method: 'POST',
    path: '/fetch_api_key',
    summary: 'Answers with the API key of the account that is logged in, to whoever knows its password.',
    since: null,
    errors: [],
    auth: 'session',
    params: { password: form.text() },
    returns: { api_key: z.string(), email: z.string() },
    async handle({ actor, params, auth }) {
      await auth.passwordGuesses.limit(actor, async () => {
        if (await auth.isPasswordOf(actor, params.password)) return;
        throw new ApiError('BAD_REQUEST', 'This is not your password.');
      });
      return { api_key: auth.apiKeyOf(actor), email: actor.email };
    },
  }),
];
