import { createHash } from 'node:crypto';

import { type Clock, type Logger, type Secrets, withEach } from '@parley/kit';
import type { Realm } from '@parley/model';
import { ApiError, notReady } from '@parley/protocol';
import { EncryptJWT, jwtDecrypt } from 'jose';
import * as client from 'openid-client';
import { z } from 'zod';

import { claimText } from './claims.ts';
import type { Identified } from './identified.ts';

export interface OidcOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** How people know the provider. */
  name: string;
  /** Whether it verifies every address, without saying so of each. */
  verifiesEmail?: boolean;
}

/** Where people are sent, and where the provider sends them back to. */
export const oidcPaths = {
  begin: '/accounts/login/oidc',
  callback: '/accounts/login/oidc/callback',
} as const;

/** What the browser keeps, encrypted, while its user is at the provider. */
const Pending = z.object({
  realm: z.int(),
  verifier: z.string(),
  state: z.string(),
  nonce: z.string(),
  otp: z.string().nullable(),
});

/** For how long somebody may be at the provider. */
export const oidcPendingSeconds = 600;
const discoveredMs = 600_000;
const timeoutSeconds = 5;

/** Signing in at a provider of OpenID Connect: authorization code, PKCE, state and nonce. */
export interface Oidc {
  /** The address to send somebody to, and what their browser is to keep meanwhile. */
  begin(realm: Realm, otp: string | null): Promise<{ url: string; pending: string }>;
  /**
   * Who came back, and the one-time pad that they began with.
   * @throws AUTHENTICATION_FAILED for an answer that is not the provider's to what this browser began
   * @throws SERVER_NOT_READY if the provider does not answer
   */
  complete(
    realm: Realm,
    search: string,
    pending: string | undefined,
  ): Promise<{ identified: Identified; otp: string | null }>;
}

/** Whom the provider has identified. Its ids of people are ASCII, and at most this long (OpenID Connect Core, 2). */
const Subject = z.object({ sub: claimText(255) });

interface OidcDeps extends OidcOptions {
  secrets: Secrets;
  /** Only a development server talks to a provider without TLS. */
  isDevelopment: boolean;
  clock: Clock;
  logger: Logger;
}

const failed = () => new ApiError('AUTHENTICATION_FAILED', 'Signing in failed. Please try again.');

export const createOidc = (deps: OidcDeps): Oidc => new OidcClient(deps);

class OidcClient implements Oidc {
  private readonly deps: OidcDeps;
  private readonly keys: readonly [present: Buffer, ...others: Buffer[]];
  /** What the provider says of itself, and when it was asked. */
  private discovered: { atMs: number; configuration: Promise<client.Configuration> } | undefined;

  constructor(deps: OidcDeps) {
    this.deps = deps;
    this.keys = withEach(deps.secrets, (secret) => createHash('sha256').update(`oidc:${secret}`).digest());
  }

  begin(realm: Realm, otp: string | null): Promise<{ url: string; pending: string }> {
    return this.ask(async () => {
      const configuration = await this.discover();
      const verifier = client.randomPKCECodeVerifier();
      const [state, nonce] = [client.randomState(), client.randomNonce()];
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: `${realm.url}${oidcPaths.callback}`,
        scope: 'openid email profile',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      const pending = await new EncryptJWT({ realm: realm.id, verifier, state, nonce, otp })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(Math.floor(this.deps.clock.nowMs() / 1000) + oidcPendingSeconds)
        .encrypt(this.keys[0]);
      return { url: url.href, pending };
    });
  }

  async complete(
    realm: Realm,
    search: string,
    pending: string | undefined,
  ): Promise<{ identified: Identified; otp: string | null }> {
    const { verifier, state, nonce, otp } = await this.readPending(realm, pending);
    return await this.ask(async () => {
      const configuration = await this.discover();
      const answer = new URL(`${realm.url}${oidcPaths.callback}${search}`);
      const tokens = await client.authorizationCodeGrant(configuration, answer, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      const subject = Subject.safeParse(claims);
      if (!claims || !subject.success || !isForUs(claims, this.deps.clientId)) throw failed();
      // What it says of an address is of the address beside it.
      const saysAll = claims['email'] !== undefined && claims['email_verified'] !== undefined;
      const about = saysAll ? claims : await this.askMore(configuration, tokens.access_token, claims);
      const { sub } = subject.data;
      const identified = identifiedBy(about, { issuer: claims.iss, subject: sub }, this.deps);
      return { identified, otp };
    });
  }

  /** Returns what the provider says of somebody beside the token, if it has a place for that. */
  private async askMore(
    configuration: client.Configuration,
    accessToken: string,
    claims: client.IDToken,
  ): Promise<Record<string, unknown>> {
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    const more = await client.fetchUserInfo(configuration, accessToken, claims.sub);
    const isAnother = claims['email'] !== undefined && more['email'] !== claims['email'];
    return isAnother ? claims : more;
  }

  private discover(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret, isDevelopment, clock } = this.deps;
    if (this.discovered && clock.nowMs() - this.discovered.atMs < discoveredMs) {
      return this.discovered.configuration;
    }
    // By itself, the client trusts the connection to the provider, and no signature.
    const execute = [
      client.enableNonRepudiationChecks,
      ...(isDevelopment ? [client.allowInsecureRequests] : []),
    ];
    const options = { execute, timeout: timeoutSeconds };
    const configuration = client.discovery(new URL(issuer), clientId, clientSecret, undefined, options);
    this.discovered = { atMs: clock.nowMs(), configuration };
    configuration.catch(() => (this.discovered = undefined));
    return configuration;
  }

  /** Runs what asks the provider. What it refuses is a refusal; if it does not answer, the client may come back. */
  private async ask<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const { logger, issuer } = this.deps;
      logger.warn({ err: error, issuer }, 'signing in at the provider failed');
      const isRefusal =
        error instanceof client.AuthorizationResponseError ||
        error instanceof client.ResponseBodyError ||
        (error instanceof client.ClientError && error.code !== 'OAUTH_TIMEOUT');
      throw isRefusal ? failed() : notReady('directory');
    }
  }

  private async readPending(realm: Realm, pending: string | undefined) {
    const currentDate = new Date(this.deps.clock.nowMs());
    const opened = await Promise.any(
      this.keys.map((key) => jwtDecrypt(pending ?? '', key, { currentDate })),
    ).catch(() => undefined);
    const read = Pending.safeParse(opened?.payload);
    if (!read.success || read.data.realm !== realm.id) throw failed();
    return read.data;
  }
}

/** Returns whether a token was made for this client. That it is among the audience was checked before. */
const isForUs = ({ azp }: client.IDToken, clientId: string) => azp === undefined || azp === clientId;

function identifiedBy(
  { email, email_verified: verified, name }: Record<string, unknown>,
  subject: Identified['subject'],
  { verifiesEmail = false }: Pick<OidcOptions, 'verifiesEmail'>,
): Identified {
  return {
    subject,
    email: typeof email === 'string' ? email : '',
    fullName: typeof name === 'string' ? name : '',
    isVerified: typeof email === 'string' && (verified === true || (verifiesEmail && verified === undefined)),
  };
}
