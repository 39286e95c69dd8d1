import { isDatabaseUnavailable } from '@parley/db';
import { errorReply, readCookie } from '@parley/http';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';

import { admit } from '../auth/log-in.ts';
import { type Oidc, oidcPaths, oidcPendingSeconds } from '../auth/oidc.ts';
import type { HandlerDeps } from '../serve/handler.ts';
import { page } from './page.ts';

type OidcDeps = Pick<
  HandlerDeps,
  'addressOf' | 'apiKeyOf' | 'clock' | 'engine' | 'limits' | 'logger' | 'realms' | 'sessions' | 'signIn'
> & { oidc: Oidc; isHttps: boolean };

/** The cookie of those who are at the provider. It comes back with the link that the provider sends them by. */
const pendingCookie = 'parley-sso';

/**
 * Signing in at a provider of OpenID Connect. A browser gets a session; a mobile app, which began with a one-time pad,
 * gets the API key, which only the app can read.
 */
export function createOidcRoutes(deps: OidcDeps): Hono {
  const { clock, engine, limits, logger, oidc, realms, sessions, isHttps } = deps;
  const app = new Hono();

  const cookie = (value: string, seconds: number) =>
    `${pendingCookie}=${value}; HttpOnly; Path=${oidcPaths.begin}; SameSite=Lax; Max-Age=${seconds}${isHttps ? '; Secure' : ''}`;

  async function findRealm(c: Context): Promise<Realm> {
    await limits.byAddress.take(deps.addressOf(c));
    const realm = await realms.find(c.req.header('host'));
    const home = await engine.snapshot((tx) => model.realms.getRealm(tx, realm.id));
    if (model.signIn.enabledMethods(home, deps.signIn(realm).available).has('OpenID Connect')) return realm;
    throw new ApiError('BAD_REQUEST', 'This organization does not let people sign in by this service.');
  }

  const serve = (respond: (c: Context) => Promise<Response>) => async (c: Context) => {
    try {
      return await respond(c);
    } catch (error) {
      const { status, headers, body, isBug } = errorReply(error, isDatabaseUnavailable);
      if (isBug) logger.error({ err: error }, 'request failed');
      return await page(
        status,
        'Signing in',
        html`<p>${body.msg}</p>
          <p><a href="/">Back</a></p>`,
        headers,
      );
    }
  };

  app.get(
    oidcPaths.begin,
    serve(async (c) => {
      const realm = await findRealm(c);
      const otp = c.req.query('mobile_flow_otp') ?? null;
      if (otp !== null && !/^[0-9a-f]{64}$/i.test(otp)) throw new ApiError('BAD_REQUEST', 'Invalid OTP');
      const { url, pending } = await oidc.begin(realm, otp);
      return redirect(url, [cookie(pending, oidcPendingSeconds)]);
    }),
  );

  app.get(
    oidcPaths.callback,
    serve(async (c) => {
      const realm = await findRealm(c);
      const { search } = new URL(c.req.url);
      const pending = readCookie(c.req.header('cookie'), pendingCookie);
      const { identity, otp } = await oidc.complete(realm, search, pending);
      const user = await admit({ engine, clock, realm }, identity);
      logger.info({ realm: realm.name, user: user.id }, 'signed in by OpenID Connect');
      const over = cookie('', 0);
      if (otp !== null) return redirect(mobileUrl(realm, user, encrypt(deps.apiKeyOf(user), otp)), [over]);
      const { cookies } = await sessions.start(realm, user);
      return redirect(`${realm.url}/`, [over, ...cookies]);
    }),
  );
  return app;
}

function redirect(url: string, cookies: string[]): Response {
  const headers = new Headers({ Location: url, 'Cache-Control': 'private, no-store' });
  for (const value of cookies) headers.append('Set-Cookie', value);
  return new Response(null, { status: 302, headers });
}

/** The address by which the mobile app is opened again. */
function mobileUrl(realm: Realm, { id, email }: { id: number; email: string }, key: string): string {
  const fields = { otp_encrypted_api_key: key, email, user_id: String(id), realm: realm.url };
  return `zulip://login?${new URLSearchParams(fields).toString()}`;
}

/** An API key under a one-time pad of the same length, in hexadecimal digits. */
function encrypt(apiKey: string, otp: string): string {
  const pad = Buffer.from(otp, 'hex');
  return Buffer.from(Buffer.from(apiKey).map((byte, index) => byte ^ (pad[index] ?? 0))).toString('hex');
}
