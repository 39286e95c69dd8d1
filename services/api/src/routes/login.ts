import { getRealm, findUserByEmail, verifyPassword } from '@parley/model';
import { ApiError } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint.ts';

const username = form.line(254);
const returns = { api_key: z.string(), email: z.string(), user_id: z.int() };
const wrong = () => new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect');

/**
 * Checks that an authenticated account may be used.
 * @throws REALM_DEACTIVATED, USER_DEACTIVATED
 */
function assertActive<Row extends { isActive: boolean }>(user: Row, realm: { isActive: boolean }): Row {
  if (!realm.isActive) throw new ApiError('REALM_DEACTIVATED', 'This organization has been deactivated');
  if (!user.isActive) throw new ApiError('USER_DEACTIVATED', 'Account is deactivated');
  return user;
}

export const loginRoutes = [
  endpoint({
    method: 'POST',
    path: '/fetch_api_key',
    summary: 'Answers with the API key of the account that a username and a password belong to.',
    since: null,
    errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED'],
    auth: 'none',
    params: { username, password: form.text() },
    returns,
    async handle({ realm, params: { username: name, password }, snapshot, auth }) {
      if (!name.includes('@')) throw new ApiError('BAD_REQUEST', 'Enter a valid email address.');
      await auth.logins.attempt(name);
      const [home, user] = await snapshot(
        async (tx) => [await getRealm(tx, realm.id), await findUserByEmail(tx, realm.id, name)] as const,
      );
      const isRight = await verifyPassword(user?.passwordHash ?? null, password);
      if (!user || !isRight) {
        auth.logins.refuse(name);
        throw wrong();
      }
      assertActive(user, home);
      await auth.logins.succeed(name);
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
          [await getRealm(tx, realm.id), await findUserByEmail(tx, realm.id, params.username)] as const,
      );
      if (!user) throw wrong();
      assertActive(user, home);
      return { api_key: auth.apiKeyOf(user), email: user.email, user_id: user.id };
    },
  }),
];
