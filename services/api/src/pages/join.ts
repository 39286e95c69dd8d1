import * as actions from '@parley/actions';
import type { UserRow } from '@parley/db';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, limits, realmDeactivated } from '@parley/protocol';
import type { PageTexts } from '@parley/strings';
import { html } from 'hono/html';
import { z } from 'zod';

import { form } from '../endpoint/endpoint.ts';
import { type Page, type PageContext, pageEndpoint } from '../endpoint/page.ts';
import type { Html } from '../http/page.ts';
import { missingParameter } from '../http/parameters.ts';

interface Invited extends model.invitations.Invitation {
  realmName: string;
}

type Context<Params> = PageContext<Params & { key?: string | undefined }>;

async function findInvited({ realm, params, links, clock, snapshot }: Context<object>): Promise<Invited> {
  const id = links.readInvitation(params.key ?? '');
  if (id === null) throw new ApiError('NOT_FOUND', 'This invitation link is not valid.');
  return await snapshot(async (tx) => {
    const found = await model.invitations.findInvitation(tx, realm, id);
    model.invitations.assertPending(found, new Date(clock.nowMs()));
    const { displayName, isActive } = await model.realms.getRealm(tx, realm.id);
    if (!isActive) throw realmDeactivated();
    return { ...found, realmName: displayName };
  });
}

interface Answers {
  full_name?: string | undefined;
  password?: string | undefined;
  email?: string | undefined;
}

async function makeAccount(
  { realm, params, clock, perform, browser: { language } }: Context<Answers>,
  { invitation }: Invited,
): Promise<UserRow> {
  const { full_name: fullName, password } = params;
  if (fullName === undefined) throw missingParameter('full_name');
  if (password === undefined) throw missingParameter('password');
  const acceptance = { id: invitation.id, fullName, password, nowMs: clock.nowMs(), language };
  return (await perform(actions.invitations.accept, { realm, ...acceptance })).user;
}

async function askForMail(
  { realm, params, invitations, clock, perform }: Context<Answers>,
  { invitation }: Invited,
): Promise<string> {
  invitations.assertCanMail();
  const { email } = params;
  if (email === undefined) throw missingParameter('email');
  const asked = {
    linkId: invitation.id,
    email,
    perDayMax: invitations.perDayMax,
    nowMs: clock.nowMs(),
  };
  await perform(actions.invitations.joinByLink, { realm, ...asked });
  return email;
}

async function answer(context: Context<Answers>): Promise<Page> {
  const { realm, auth, log, text } = context;
  const invited = await findInvited(context);
  const { invitation } = invited;
  if (invitation.email === null) return mailedPage(invited, await askForMail(context, invited), text);
  const user = await makeAccount(context, invited);
  log.info({ realm: realm.name, user: user.id, invitation: invitation.id }, 'invitation accepted');
  const { id, email } = user;
  return {
    ...welcomePage(realm, invited, user, text),
    json: { api_key: auth.apiKeyOf(user), email, user_id: id },
  };
}

const formPage = async (context: Context<object>): Promise<Page> => {
  const { realmName, invitation } = await findInvited(context);
  const { join: text } = context.text;
  return {
    title: text.titleOf(realmName),
    content: html`<form method="post">${fields(invitation.email, text)}</form>`,
  };
};

const fields = (email: string | null, text: PageTexts['join']): Html =>
  email === null
    ? html`<label>
          ${text.email}
          <input name="email" type="email" autocomplete="email" maxlength="254" required />
        </label>
        <button>${text.send}</button>`
    : html`<p>${text.account(email)}</p>
        <label>
          ${text.name}
          <input name="full_name" autocomplete="name" maxlength="${limits.fullNameLength}" required />
        </label>
        <label>
          ${text.password}
          <input name="password" type="password" autocomplete="new-password" required />
        </label>
        <button>${text.submit}</button>`;

const mailedPage = ({ realmName }: Invited, email: string, { join }: PageTexts): Page => ({
  title: join.titleOf(realmName),
  content: html`<p>${join.sent(email)}</p>`,
  json: {},
});

const welcomePage = (
  { url }: Realm,
  { realmName }: Invited,
  { email, fullName }: UserRow,
  { join, logIn }: PageTexts,
): Page => ({
  title: join.welcome(realmName),
  content: html`<p>${join.ready(fullName, email, url)}</p>
    <p><a class="button" href="/">${logIn.title}</a></p>`,
});

const path = '/join/:key';
const title = ({ join }: PageTexts) => join.title;
const key = form.text();

/**
 * The pages on which people accept invitations: somebody who was invited by email makes an account, and somebody with a
 * link is mailed an invitation to their own address.
 */
export const joinPages = [
  pageEndpoint({
    method: 'GET',
    path,
    title,
    summary: 'Shows the form with which somebody accepts an invitation.',
    errors: ['NOT_FOUND', 'REALM_DEACTIVATED'],
    params: { key },
    handle: formPage,
  }),

  pageEndpoint({
    method: 'POST',
    path,
    title,
    summary: 'Makes an account for whoever was invited, or mails an invitation to whoever has a link.',
    errors: ['NOT_FOUND', 'REALM_DEACTIVATED', 'REQUEST_VARIABLE_MISSING'],
    params: {
      key,
      full_name: form.line(limits.fullNameLength * 4).optional(),
      password: form.text().optional(),
      email: form.line(254).optional(),
    },
    returns: {
      api_key: z.string().optional(),
      email: z.string().optional(),
      user_id: z.int().optional(),
    },
    form: formPage,
    handle: answer,
  }),
];
