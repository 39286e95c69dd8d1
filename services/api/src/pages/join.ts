import * as actions from '@parley/actions';
import type { UserRow } from '@parley/db';
import { isDatabaseUnavailable } from '@parley/db';
import { errorReply } from '@parley/http';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, limits, realmDeactivated } from '@parley/protocol';
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';

import { form } from '../endpoint/endpoint.ts';
import { readParameters } from '../http/parameters.ts';
import { refuse, reply } from '../http/reply.ts';
import { readRequest } from '../http/request.ts';
import type { HandlerDeps } from '../serve/handler.ts';
import { type Html, acceptsJson, page } from './page.ts';

export type JoinDeps = Pick<
  HandlerDeps,
  'addressOf' | 'apiKeyOf' | 'clock' | 'engine' | 'invitations' | 'limits' | 'logger' | 'realms'
> & { secret: string };

interface Invited extends model.invitations.Invitation {
  realm: Realm;
  realmName: string;
}

const joining = { full_name: form.line(limits.fullNameLength * 4), password: form.text() };
const asking = { email: form.line(254) };

/**
 * The pages on which people accept invitations: somebody who was invited by email makes an account, and somebody with a
 * link is mailed an invitation to their own address. Programs that accept JSON are answered with it.
 */
export function createJoinRoutes(deps: JoinDeps): Hono {
  const { clock, engine, invitations, limits: rateLimits, logger, realms, secret } = deps;
  const app = new Hono();

  async function findInvited(c: Context): Promise<Invited> {
    await rateLimits.byAddress.take(deps.addressOf(c));
    const realm = await realms.find(c.req.header('host'));
    const id = model.invitations.readInvitationKey(secret, c.req.param('key') ?? '');
    if (id === null) throw new ApiError('NOT_FOUND', 'This invitation link is not valid.');
    return await engine.snapshot(async (tx) => {
      const found = await model.invitations.findInvitation(tx, realm, id);
      model.invitations.assertPending(found, new Date(clock.nowMs()));
      const { displayName, isActive } = await model.realms.getRealm(tx, realm.id);
      if (!isActive) throw realmDeactivated();
      return { ...found, realm, realmName: displayName };
    });
  }

  async function makeAccount(c: Context, { realm, invitation }: Invited): Promise<UserRow> {
    await using request = await readRequest(c, { address: deps.addressOf(c) });
    const { full_name: fullName, password } = readParameters(joining, request.sources, { aliases: {} });
    const acceptance = { id: invitation.id, fullName, password, nowMs: clock.nowMs() };
    return (await engine.perform(realm.id, actions.invitations.accept, { realm, ...acceptance })).user;
  }

  async function askForMail(c: Context, { realm, invitation }: Invited): Promise<string> {
    invitations.assertCanMail();
    await using request = await readRequest(c, { address: deps.addressOf(c) });
    const { email } = readParameters(asking, request.sources, { aliases: {} });
    const { perDayMax } = invitations;
    const asked = { linkId: invitation.id, email, perDayMax, nowMs: clock.nowMs() };
    await engine.perform(realm.id, actions.invitations.joinByLink, { realm, ...asked });
    return email;
  }

  async function answer(c: Context, invited: Invited): Promise<Response> {
    const { realm, invitation } = invited;
    const wantsPage = !acceptsJson(c);
    if (invitation.email === null) {
      const email = await askForMail(c, invited);
      return wantsPage ? await mailedPage(invited, email) : reply({ result: 'success', msg: '' }, 200);
    }
    const user = await makeAccount(c, invited);
    const line = { realm: realm.name, user: user.id, invitation: invitation.id };
    logger.info(line, 'invitation accepted');
    if (wantsPage) return await welcomePage(invited, user);
    const { id, email } = user;
    return reply({ result: 'success', msg: '', api_key: deps.apiKeyOf(user), email, user_id: id }, 200);
  }

  /** Answers with a page, or JSON; what is refused is said on the page on which it can be mended. */
  const serve = (respond: (c: Context, invited: Invited) => Promise<Response>) => async (c: Context) => {
    let invited: Invited | undefined;
    try {
      invited = await findInvited(c);
      return await respond(c, invited);
    } catch (error) {
      if (acceptsJson(c)) return refuse(error, logger);
      const { status, headers, body, isBug } = errorReply(error, isDatabaseUnavailable);
      if (isBug) logger.error({ err: error }, 'request failed');
      return invited
        ? await formPage(invited, { status, headers, msg: body.msg })
        : await page(status, 'Invitation', html`<p>${body.msg}</p>`, headers);
    }
  };

  for (const path of ['/join/:key', '/join/:key/']) {
    app.get(
      path,
      serve((_, invited) => formPage(invited)),
    );
    app.post(path, serve(answer));
  }
  return app;
}

interface Refusal {
  status: number;
  headers: Readonly<Record<string, string>>;
  msg: string;
}

const formPage = ({ realmName, invitation }: Invited, refusal?: Refusal): Promise<Response> =>
  page(
    refusal?.status ?? 200,
    `Join ${realmName}`,
    html`${refusal && html`<p class="refusal">${refusal.msg}</p>`}
      <form method="post">${fields(invitation.email)}</form>`,
    refusal?.headers,
  );

const fields = (email: string | null): Html =>
  email === null
    ? html`<label>
          Your email address
          <input name="email" type="email" autocomplete="email" maxlength="254" required />
        </label>
        <button>Send me an invitation</button>`
    : html`<p>Your account will have the address ${email}.</p>
        <label>
          Your name
          <input name="full_name" autocomplete="name" maxlength="${limits.fullNameLength}" required />
        </label>
        <label>
          A password
          <input name="password" type="password" autocomplete="new-password" required />
        </label>
        <button>Join</button>`;

const mailedPage = ({ realmName }: Invited, email: string): Promise<Response> =>
  page(200, `Join ${realmName}`, html`<p>A mail is on its way to ${email}. Open the link in it.</p>`);

const welcomePage = ({ realm, realmName }: Invited, { email, fullName }: UserRow): Promise<Response> =>
  page(
    200,
    `Welcome to ${realmName}`,
    html`<p>${fullName}, your account is ready. Log in with ${email} at ${realm.url}.</p>
      <p><a class="button" href="/">Log in</a></p>`,
  );
