import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import type { PageTexts } from '@parley/strings';
import { html } from 'hono/html';

import { type Oidc, oidcPaths, oidcPendingSeconds } from '../auth/oidc.ts';
import { form } from '../endpoint/endpoint.ts';
import { type Page, type PageContext, pageEndpoint } from '../endpoint/page.ts';

/** The cookie of those who are at the provider. It comes back with the link that the provider sends them by. */
const pendingCookie = 'parley-sso';

const title = ({ external }: PageTexts) => external.title;
const backPage = ({ text: { external } }: PageContext<unknown>): Promise<Page> =>
  Promise.resolve({ title: external.title, content: html`<p><a href="/">${external.again}</a></p>` });

const cookie = ({ browser }: PageContext<unknown>, value: string, seconds: number) =>
  `${pendingCookie}=${value}; HttpOnly; Path=${oidcPaths.begin}; SameSite=Lax; Max-Age=${seconds}${browser.isHttps ? '; Secure' : ''}`;

/** The provider, where the organization lets people sign in by it. */
async function getProvider({ realm, auth, oidc, snapshot }: PageContext<unknown>): Promise<Oidc> {
  const home = await snapshot((tx) => model.realms.getRealm(tx, realm.id));
  if (oidc && model.signIn.enabledMethods(home, auth.signIn.available).has('OpenID Connect')) return oidc;
  throw new ApiError('BAD_REQUEST', 'This organization does not let people sign in with this provider.');
}

/**
 * Signing in at a provider of OpenID Connect. A browser gets a session; a mobile app, which began with a one-time pad,
 * gets the API key, which only the app can read.
 */
export const oidcPages = [
  pageEndpoint({
    method: 'GET',
    path: oidcPaths.begin,
    title,
    summary: 'Sends somebody to the provider of OpenID Connect at which they sign in.',
    errors: ['AUTHENTICATION_FAILED'],
    params: { mobile_flow_otp: form.text().optional() },
    form: backPage,
    async handle(context) {
      const provider = await getProvider(context);
      const otp = context.params.mobile_flow_otp ?? null;
      if (otp !== null && !/^[0-9a-f]{64}$/i.test(otp))
        throw new ApiError('BAD_REQUEST', "'mobile_flow_otp' must have 64 hexadecimal digits.");
      const { url, pending } = await provider.begin(context.realm, otp);
      return { location: url, cookies: [cookie(context, pending, oidcPendingSeconds)] };
    },
  }),

  pageEndpoint({
    method: 'GET',
    path: oidcPaths.callback,
    title,
    summary: 'Signs in whoever comes back from the provider of OpenID Connect.',
    errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED'],
    params: {},
    form: backPage,
    async handle(context) {
      const { realm, auth, browser, log } = context;
      const provider = await getProvider(context);
      const { search } = new URL(browser.request.req.url);
      const { identified, otp } = await provider.complete(realm, search, browser.cookie(pendingCookie));
      const user = await auth.admit(identified);
      log.info({ realm: realm.name, user: user.id }, 'signed in by OpenID Connect');
      const over = cookie(context, '', 0);
      if (otp !== null) {
        const key = encrypt(auth.apiKeyOf(user), otp);
        return { location: mobileUrl(realm, user, key), cookies: [over] };
      }
      const { cookies } = await browser.start(user);
      return { location: `${realm.url}/`, cookies: [over, ...cookies] };
    },
  }),
];

/** Returns the address that opens the mobile app again. */
function mobileUrl(realm: Realm, { id, email }: { id: number; email: string }, key: string): string {
  const fields = { otp_encrypted_api_key: key, email, user_id: String(id), realm: realm.url };
  return `zulip://login?${new URLSearchParams(fields).toString()}`;
}

/** Encrypts an API key with a one-time pad of the same length, and returns hexadecimal digits. */
function encrypt(apiKey: string, otp: string): string {
  const pad = Buffer.from(otp, 'hex');
  return Buffer.from(Buffer.from(apiKey).map((byte, index) => byte ^ (pad[index] ?? 0))).toString('hex');
}
