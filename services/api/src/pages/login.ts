import type { UserRow } from '@parley/db';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import { type PageTexts, pageText, serverLanguageOf } from '@parley/strings';
import { html } from 'hono/html';
import { z } from 'zod';

import { form } from '../endpoint/endpoint.ts';
import { type Page, type PageContext, pageEndpoint } from '../endpoint/page.ts';

const title = ({ logIn }: PageTexts) => logIn.title;

const passwordForm = (text: PageTexts['logIn']) =>
  html`<form method="post" action="/login/">
    <label>
      ${text.username}
      <input name="username" autocomplete="username" maxlength="254" required />
    </label>
    <label>
      ${text.password}
      <input name="password" type="password" autocomplete="current-password" required />
    </label>
    <button>${text.title}</button>
  </form>`;

const forgottenLink = ({ forgotten }: PageTexts['logIn']) =>
  html`<p><a href="${model.users.passwordResetPath}/">${forgotten}</a></p>`;

const externalLink =
  (text: PageTexts['logIn']) =>
  ({ login_url, display_name }: { login_url: string; display_name: string }) =>
    html`<p><a href="${login_url}">${text.external(display_name)}</a></p>`;

/** The page on which one logs in, in the ways that the organization has. */
async function loginPage(context: PageContext<unknown>): Promise<Page> {
  const { realm, auth, canMail, snapshot } = context;
  const { logIn: text } = context.text;
  const home = await snapshot((tx) => model.realms.getRealm(tx, realm.id));
  const methods = model.signIn.enabledMethods(home, auth.signIn.available);
  const external = methods.has('OpenID Connect') ? auth.signIn.external : [];
  const hasPasswords = methods.has('Email') || methods.has('LDAP');
  return {
    title: text.titleOf(home.displayName),
    content: html`${hasPasswords && passwordForm(text)}
    ${canMail && methods.has('Email') && forgottenLink(text)} ${external.map(externalLink(text))}`,
  };
}

/** The page of somebody who is logged in; null for anybody else. */
async function accountPage({ browser }: PageContext<unknown>): Promise<Page | null> {
  try {
    const session = browser.session();
    const actor = await browser.account(session);
    const { default_language: language } = actor.settings;
    return await loggedInPage(actor, language, browser.csrfTokenOf(session));
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

async function loggedInPage(
  { fullName, email }: Pick<UserRow, 'fullName' | 'email'>,
  language: string,
  csrfToken: string,
): Promise<Page> {
  const { logIn: text } = await pageText(language);
  return {
    language: serverLanguageOf(language),
    title: text.loggedIn,
    content: html`<p>${text.loggedInAs(fullName, email)}</p>
      <p><a class="button" href="/">${text.open}</a></p>
      <form method="post" action="/logout/">
        <input type="hidden" name="csrfmiddlewaretoken" value="${csrfToken}" />
        <button>${text.logOut}</button>
      </form>`,
  };
}

/** The pages on which people log in and out in a browser. */
export const loginPages = [
  pageEndpoint({
    method: 'GET',
    path: '/login',
    title,
    summary: 'Shows the form with which one logs in, or who is logged in.',
    errors: [],
    params: {},
    handle: async (context) => (await accountPage(context)) ?? (await loginPage(context)),
  }),

  pageEndpoint({
    method: 'POST',
    path: '/login',
    title,
    summary: 'Starts the session of a browser, by a username and a password.',
    errors: ['AUTHENTICATION_FAILED', 'PASSWORD_AUTH_DISABLED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED'],
    ownSiteOnly: true,
    params: { username: form.line(254), password: form.text() },
    returns: { user_id: z.int(), email: z.string() },
    form: loginPage,
    async handle({ realm, params, auth, browser, log }) {
      const user = await auth.logIn(params.username, params.password);
      const { token, cookies } = await browser.start(user);
      log.info({ realm: realm.name, user: user.id }, 'session started');
      const language = model.users.languageOfUser(user);
      const page = await loggedInPage(user, language, browser.csrfTokenOf({ token }));
      return { ...page, json: { user_id: user.id, email: user.email }, cookies };
    },
  }),

  pageEndpoint({
    method: 'POST',
    path: '/logout',
    title,
    summary: 'Ends the session of a browser.',
    errors: ['UNAUTHENTICATED_USER', 'CSRF_FAILED'],
    params: { csrfmiddlewaretoken: form.line(200).optional() },
    returns: {},
    form: loginPage,
    async handle({ params, browser, text: { logIn } }) {
      const session = browser.session();
      browser.assertOwnPage(session, params.csrfmiddlewaretoken);
      return {
        title: logIn.loggedOut,
        content: html`<p><a class="button" href="/">${logIn.again}</a></p>`,
        json: {},
        cookies: await browser.end(session),
      };
    },
  }),
];
