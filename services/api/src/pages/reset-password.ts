import * as actions from '@parley/actions';
import type { UserRow } from '@parley/db';
import * as model from '@parley/model';
import { ApiError, realmDeactivated } from '@parley/protocol';
import type { PageTexts } from '@parley/strings';
import { html } from 'hono/html';

import { form } from '../endpoint/endpoint.ts';
import { type Page, type PageContext, pageEndpoint } from '../endpoint/page.ts';

const title = ({ passwordReset }: PageTexts) => passwordReset.title;
const newTitle = ({ passwordReset }: PageTexts) => passwordReset.titleNew;
const path = model.users.passwordResetPath;
const key = form.text();

/** @throws REALM_DEACTIVATED, PASSWORD_AUTH_DISABLED where nobody logs in with a password that is kept here */
async function assertHasPasswords({ realm, auth, snapshot }: PageContext<unknown>): Promise<void> {
  const home = await snapshot((tx) => model.realms.getRealm(tx, realm.id));
  if (!home.isActive) throw realmDeactivated();
  if (model.signIn.enabledMethods(home, auth.signIn.available).has('Email')) return;
  const msg = 'This organization keeps no passwords. Ask an administrator how to log in.';
  throw new ApiError('PASSWORD_AUTH_DISABLED', msg);
}

const askPage = ({ text: { passwordReset: text } }: PageContext<unknown>): Promise<Page> =>
  Promise.resolve({
    title: text.title,
    content: html`<form method="post" action="${path}/">
      <label>
        ${text.email}
        <input name="email" type="email" autocomplete="email" maxlength="254" required />
      </label>
      <button>${text.send}</button>
    </form>`,
  });

/** Returns the account that a link is for. @throws NOT_FOUND for one that no longer serves, or is another host's */
async function findAccount(context: PageContext<{ key?: string | undefined }>): Promise<UserRow> {
  const { realm, params, links, snapshot, clock } = context;
  await assertHasPasswords(context);
  const id = model.users.readPasswordResetKey(params.key ?? '', clock.nowMs());
  const [user] = id === null ? [] : await snapshot((tx) => model.users.listUsers(tx, realm.id, [id]));
  const isValid = user?.isActive && user.botType === null && links.isPasswordReset(params.key ?? '', user);
  if (!user || !isValid)
    throw new ApiError('NOT_FOUND', 'This link is not valid or has expired. Ask for a new one.');
  return user;
}

async function passwordPage(context: PageContext<{ key?: string | undefined }>): Promise<Page> {
  const { email } = await findAccount(context);
  const { passwordReset: text } = context.text;
  return {
    title: text.titleNew,
    content: html`<form method="post">
      <p>${text.account(email)}</p>
      <label>
        ${text.password}
        <input name="password" type="password" autocomplete="new-password" required />
      </label>
      <button>${text.change}</button>
    </form>`,
  };
}

/** The pages on which somebody who has forgotten their password is mailed a link, and sets another one. */
export const resetPasswordPages = [
  pageEndpoint({
    method: 'GET',
    path,
    title,
    summary: 'Shows the form in which somebody who has forgotten their password asks for a link.',
    errors: ['PASSWORD_AUTH_DISABLED', 'REALM_DEACTIVATED'],
    params: {},
    async handle(context) {
      await assertHasPasswords(context);
      return await askPage(context);
    },
  }),

  pageEndpoint({
    method: 'POST',
    path,
    title,
    summary: 'Mails a link to set a new password to whoever has an account, and answers the same to all.',
    errors: ['PASSWORD_AUTH_DISABLED', 'REALM_DEACTIVATED'],
    ownSiteOnly: true,
    params: { email: form.line(254) },
    returns: {},
    form: askPage,
    async handle(context) {
      const { params, clock, realm, auth, writeWithoutLog } = context;
      await assertHasPasswords(context);
      const email = model.parseEmail(params.email, 'Enter a valid email address.');
      await auth.limitPasswordResets(email);
      await writeWithoutLog(actions.users.askForReset, { realm, email, nowMs: clock.nowMs() });
      const { title: heading, sent } = context.text.passwordReset;
      return { title: heading, content: html`<p>${sent(email)}</p>`, json: {} };
    },
  }),

  pageEndpoint({
    method: 'GET',
    path: `${path}/:key`,
    title: newTitle,
    summary: 'Shows the form in which somebody with a mailed link sets a new password.',
    errors: ['NOT_FOUND', 'PASSWORD_AUTH_DISABLED', 'REALM_DEACTIVATED'],
    params: { key },
    handle: passwordPage,
  }),

  pageEndpoint({
    method: 'POST',
    path: `${path}/:key`,
    title: newTitle,
    summary: 'Sets a new password, and ends the sessions and the API key of the account.',
    errors: ['NOT_FOUND', 'PASSWORD_AUTH_DISABLED', 'REALM_DEACTIVATED'],
    ownSiteOnly: true,
    params: { key, password: form.text() },
    returns: {},
    form: passwordPage,
    async handle(context) {
      const { params, perform, realm, log } = context;
      const account = await findAccount(context);
      const passwordHash = await model.users.hashNewPassword(
        params.password,
        [account.email, account.fullName],
        'This password is too easy to guess. Choose a longer one.',
      );
      await perform(actions.users.resetPassword, { account, passwordHash });
      log.info({ realm: realm.name, user: account.id }, 'password reset');
      const { logIn, passwordReset: text } = context.text;
      return {
        title: text.changed,
        content: html`<p>${text.consequences}</p>
          <p><a class="button" href="/">${logIn.title}</a></p>`,
        json: {},
      };
    },
  }),
];
