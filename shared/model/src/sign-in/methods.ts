import type { tables } from '@parley/db';
import {
  type AuthenticationMethod,
  type AuthenticationMethodsState,
  authenticationMethods,
} from '@parley/protocol';

type Stored = Pick<typeof tables.realms.$inferSelect, 'authenticationMethods'>;

/**
 * Returns the ways to sign in to a realm: those that the server is set up for, without those that the realm switched
 * off.
 */
export function enabledMethods(
  { authenticationMethods: stored }: Stored,
  available: ReadonlySet<AuthenticationMethod>,
): ReadonlySet<AuthenticationMethod> {
  return new Set(authenticationMethods.filter((name) => available.has(name) && (stored[name] ?? true)));
}

/** Returns `authentication_methods` of a realm, as POST /register and events have them. */
export function presentMethods(
  stored: Stored,
  available: ReadonlySet<AuthenticationMethod>,
): AuthenticationMethodsState {
  const enabled = enabledMethods(stored, available);
  const reason = { unavailable_reason: 'This server is not set up for it.' };
  return Object.fromEntries(
    authenticationMethods.map((name) => [
      name,
      { enabled: enabled.has(name), available: available.has(name), ...(!available.has(name) && reason) },
    ]),
  );
}
