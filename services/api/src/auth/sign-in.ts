import type { signIn } from '@parley/actions';
import type { Realm } from '@parley/model';
import { type AuthenticationMethod, ApiError } from '@parley/protocol';
import { z } from 'zod';

import { verifyJwt } from './jwt.ts';
import { type LdapOptions, findByLdap } from './ldap.ts';
import { type OidcOptions, oidcPaths } from './oidc.ts';

/** A service at which one signs in, in a browser. The addresses are complete. */
export const ExternalMethod = z.strictObject({
  name: z.string(),
  display_name: z.string(),
  display_icon: z.string().nullable(),
  login_url: z.string(),
  signup_url: z.string(),
});
export type ExternalMethod = z.infer<typeof ExternalMethod>;

/** The ways to sign in beside passwords that the server is set up for. */
export interface SignInOptions {
  /** The secret that signs an organization's tokens, by its name; undefined if it takes none. */
  readonly jwtSecretOf: (realm: string) => string | undefined;
  /** Whom tokens must be for; undefined if they need not say so. */
  jwtAudience?: string | undefined;
  ldap: LdapOptions | null;
  /** The provider of OpenID Connect. */
  oidc: OidcOptions | null;
}

/** The ways to sign in to an organization. */
export interface SignIn {
  /** Those that the server is set up for. The organization may have switched them off. */
  available: ReadonlySet<AuthenticationMethod>;
  external: readonly ExternalMethod[];
  /**
   * Whom a username and a password belong to in the directory; null if they belong to nobody.
   * @throws SERVER_NOT_READY if the directory does not answer
   */
  findByLdap(username: string, password: string): Promise<signIn.Identity | null>;
  /**
   * Whose email address is in a JSON web token.
   * @throws AUTHENTICATION_FAILED for one that is not signed as this organization's are, that has ended or is for somebody
   * else, and where none is taken
   * @throws BAD_REQUEST for one without an address
   */
  verifyJwt(token: string): Promise<string>;
}

export function createSignIn({
  jwtSecretOf,
  jwtAudience: audience,
  ldap,
  oidc,
}: SignInOptions): (realm: Realm) => SignIn {
  return ({ name, url }) => {
    const jwtSecret = jwtSecretOf(name);
    const available = new Set<AuthenticationMethod>(['Email']);
    if (ldap) available.add('LDAP');
    if (oidc) available.add('OpenID Connect');
    const address = `${url}${oidcPaths.begin}`;
    if (jwtSecret !== undefined) available.add('JWT');
    return {
      available,
      external: oidc
        ? [
            {
              name: 'oidc',
              display_name: oidc.name,
              display_icon: null,
              login_url: address,
              signup_url: address,
            },
          ]
        : [],
      findByLdap: async (username, password) => ldap && (await findByLdap(ldap, username, password)),
      async verifyJwt(token) {
        if (jwtSecret === undefined) throw noTokens();
        return await verifyJwt(token, { secret: jwtSecret, audience });
      },
    };
  };
}

export const noTokens = () =>
  new ApiError(
    'AUTHENTICATION_FAILED',
    'This organization does not let people log in with a JSON web token.',
  );
