import * as actions from '@parley/actions';
import type { UserRow } from '@parley/db';
import type { Engine } from '@parley/engine';
import type { Clock } from '@parley/kit';
import { type Realm, parseEmail } from '@parley/model';
import * as model from '@parley/model';
import { type AuthenticationMethod, ApiError, realmDeactivated } from '@parley/protocol';

import type { Identified } from './identified.ts';
import type { LoginLimiter } from './login-limiter.ts';
import type { SignIn } from './sign-in.ts';

interface LogInDeps {
  engine: Engine;
  clock: Clock;
  realm: Realm;
  /** The language of the browser, in which an account begins that is made; null if it does not say. */
  language: string | null;
  logins: LoginLimiter;
  signIn: SignIn;
}

const wrong = () => new ApiError('AUTHENTICATION_FAILED', 'The username or password is wrong.');

/**
 * Checks that an authenticated account may be used.
 * @throws REALM_DEACTIVATED, USER_DEACTIVATED
 */
export function assertActive<Row extends { isActive: boolean }>(
  user: Row,
  realm: { isActive: boolean },
): Row {
  if (!realm.isActive) throw realmDeactivated();
  if (!user.isActive) throw new ApiError('USER_DEACTIVATED', 'This account is deactivated.');
  return user;
}

/**
 * Checks that an account may be signed in to by whoever has shown whose it is. Bots have keys, and nobody signs in as
 * one.
 *
 * @throws REALM_DEACTIVATED, AUTHENTICATION_FAILED, USER_DEACTIVATED
 */
export function assertMaySignIn<Row extends { isActive: boolean; botType: number | null }>(
  user: Row,
  realm: { isActive: boolean },
): Row {
  if (realm.isActive && user.botType !== null) {
    throw new ApiError('AUTHENTICATION_FAILED', 'This account is a bot: nobody signs in as one.');
  }
  return assertActive(user, realm);
}

type AdmitDeps = Pick<LogInDeps, 'engine' | 'clock' | 'realm' | 'language'>;

/**
 * Returns the account of somebody whom another service has identified. It is made if the organization lets newcomers
 * in.
 *
 * @throws REALM_DEACTIVATED, USER_DEACTIVATED
 * @throws AUTHENTICATION_FAILED for somebody who would need an invitation, and for the account of a bot
 * @throws BAD_REQUEST for an address that is invalid or that the realm does not take
 */
async function admit(
  { engine, clock, realm, language }: AdmitDeps,
  { email: raw, fullName }: actions.signIn.Identity,
  subject?: actions.signIn.Subject,
): Promise<UserRow> {
  const email = parseEmail(raw, 'Enter a valid email address.');
  const [home, user] = await engine.snapshotAt(
    realm.id,
    async (tx) =>
      [
        await model.realms.getRealm(tx, realm.id),
        await model.users.findUserByEmail(tx, realm.id, email),
      ] as const,
  );
  if (!home.isActive) throw realmDeactivated();
  if (user) assertMaySignIn(user, home);
  if (user && !subject) return user;
  const joined = await engine.perform(realm.id, actions.signIn.join, {
    realm,
    email,
    fullName,
    subject,
    language,
    nowMs: clock.nowMs(),
  });
  return assertMaySignIn(joined.user, home);
}

/**
 * Returns the account of somebody whom a provider has identified: the one that they have signed in to before, or that
 * with their address, if the provider has verified that it is theirs.
 *
 * @throws AUTHENTICATION_FAILED for an address that was not verified, and for an account that belongs to somebody else at
 * the provider; else what `admit` throws
 */
export async function admitIdentified(deps: AdmitDeps, identified: Identified): Promise<UserRow> {
  const { engine, realm } = deps;
  const [home, user] = await engine.snapshotAt(
    realm.id,
    async (tx) =>
      [
        await model.realms.getRealm(tx, realm.id),
        await model.signIn.findUserBySubject(tx, realm.id, identified.subject),
      ] as const,
  );
  if (user) return assertMaySignIn(user, home);
  if (!identified.isVerified) {
    const msg = 'The provider has not confirmed your email address, so you cannot sign in with it.';
    throw new ApiError('AUTHENTICATION_FAILED', msg);
  }
  return await admit(deps, identified, identified.subject);
}

/**
 * Returns the account that a username and a password belong to: here, or in the directory that the server asks.
 *
 * @throws AUTHENTICATION_FAILED for wrong ones, and for somebody of the directory who would need an invitation
 * @throws PASSWORD_AUTH_DISABLED, REALM_DEACTIVATED, USER_DEACTIVATED, RATE_LIMIT_HIT
 * @throws BAD_REQUEST for a username that is no email address, where only addresses are usernames
 * @throws SERVER_NOT_READY if the directory does not answer
 */
export async function logIn(deps: LogInDeps, username: string, password: string): Promise<UserRow> {
  const { engine, realm, logins, signIn } = deps;
  // Over the limit, nothing is looked up.
  await logins.attempt(username);
  const [home, user] = await engine.snapshotAt(
    realm.id,
    async (tx) =>
      [
        await model.realms.getRealm(tx, realm.id),
        await model.users.findUserByEmail(tx, realm.id, username),
      ] as const,
  );
  const methods = model.signIn.enabledMethods(home, signIn.available);
  const mistake = mistakeIn(methods, username);
  if (mistake) {
    await logins.succeed(username);
    throw mistake;
  }
  const isRight =
    methods.has('Email') && (await model.users.verifyPassword(user?.passwordHash ?? null, password));
  if (user && isRight) {
    assertMaySignIn(user, home);
    await logins.succeed(username);
    return user;
  }
  const identity = methods.has('LDAP') ? await signIn.findByLdap(username, password) : null;
  if (!identity) {
    await logins.refuse(username);
    throw wrong();
  }
  const admitted = await admit(deps, identity);
  await logins.succeed(username);
  return admitted;
}

/** Returns what is wrong with an attempt by itself, which is no guess; null if nothing is. */
function mistakeIn(methods: ReadonlySet<AuthenticationMethod>, username: string): ApiError | null {
  if (!methods.has('Email') && !methods.has('LDAP')) {
    const msg = 'This organization does not let people log in with a password.';
    return new ApiError('PASSWORD_AUTH_DISABLED', msg);
  }
  if (!methods.has('LDAP') && !username.includes('@')) {
    return new ApiError('BAD_REQUEST', 'Enter a valid email address.');
  }
  return null;
}

/** Returns whether a password is that of an account, here or in the directory. */
export async function isPasswordOf(
  { engine, realm, signIn }: Pick<LogInDeps, 'engine' | 'realm' | 'signIn'>,
  { id, email }: { id: number; email: string },
  password: string,
): Promise<boolean> {
  const [home, [user]] = await engine.snapshotAt(
    realm.id,
    async (tx) =>
      [await model.realms.getRealm(tx, realm.id), await model.users.listUsers(tx, realm.id, [id])] as const,
  );
  const methods = model.signIn.enabledMethods(home, signIn.available);
  const isRight =
    methods.has('Email') && (await model.users.verifyPassword(user?.passwordHash ?? null, password));
  if (isRight) return true;
  const identity = methods.has('LDAP') ? await signIn.findByLdap(email, password) : null;
  return identity?.email.toLowerCase() === email.toLowerCase();
}
