import type { UserRow } from '@parley/db';
import { isDatabaseUnavailable } from '@parley/db';
import { type PresentedSession, errorReply, sessionChallenge } from '@parley/http';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';

import { logIn } from '../auth/log-in.ts';
import { form } from '../endpoint/endpoint.ts';
import { readParameters } from '../http/parameters.ts';
import { refuse, reply } from '../http/reply.ts';
import { readRequest } from '../http/request.ts';
import type { HandlerDeps } from '../serve/handler.ts';
import { acceptsJson, page } from './page.ts';

type LoginDeps = Pick<
  HandlerDeps,
  | 'addressOf'
  | 'apiKeyOf'
  | 'clock'
  | 'engine'
  | 'limits'
  | 'logger'
  | 'passwordGuesses'
  | 'realms'
  | 'sessions'
  | 'signIn'
>;

const credentials = { username: form.line(254), password: form.text() };

/** The pages on which people log in and out in a browser. Programs that accept JSON are answered with it. */
export function createLoginRoutes(deps: LoginDeps): Hono {
  const { clock, engine, limits, logger, passwordGuesses, realms, sessions } = deps;
  const app = new Hono();

  async function findRealm(c: Context): Promise<Realm> {
    await limits.byAddress.take(deps.addressOf(c));
    return await realms.find(c.req.header('host'));
  }

  async function readForm<Shape extends Parameters<typeof readParameters>[0]>(c: Context, shape: Shape) {
    await using request = await readRequest(c, { address: deps.addressOf(c) });
    return readParameters(shape, request.sources, { aliases: {} });
  }

  async function loginPage(realm: Realm, refusal?: { status: number; msg: string }): Promise<Response> {
    const home = await engine.snapshot((tx) => model.realms.getRealm(tx, realm.id));
    const signIn = deps.signIn(realm);
    const methods = model.signIn.enabledMethods(home, signIn.available);
    const external = methods.has('OpenID Connect') ? signIn.external : [];
    const hasPasswords = methods.has('Email') || methods.has('LDAP');
    return await page(
      refusal?.status ?? 200,
      `Log in to ${home.displayName}`,
      html`${refusal && html`<p class="refusal">${refusal.msg}</p>`} ${hasPasswords && passwordForm}
      ${external.map(externalLink)}`,
    );
  }

  async function accountPage(c: Context, realm: Realm): Promise<Response> {
    const session = sessions.read(c);
    const actor = await sessions.authenticate(engine.db, realm, session);
    return await loggedInPage(actor, sessions.csrfTokenOf(session));
  }

  async function start(c: Context, realm: Realm, user: UserRow): Promise<Response> {
    const { token, cookies } = await sessions.start(realm, user);
    logger.info({ realm: realm.name, user: user.id }, 'session started');
    const response = acceptsJson(c)
      ? reply({ result: 'success', msg: '', user_id: user.id, email: user.email }, 200)
      : await loggedInPage(user, sessions.csrfTokenOf({ token }));
    return withCookies(response, cookies);
  }

  /** Answers refusals as JSON, or on the page where one logs in. */
  const serve = (respond: (c: Context, realm: Realm) => Promise<Response>) => async (c: Context) => {
    let realm: Realm | undefined;
    try {
      realm = await findRealm(c);
      return await respond(c, realm);
    } catch (error) {
      if (acceptsJson(c)) return refuse(error, logger, {}, sessionChallenge);
      const { status, headers, body, isBug } = errorReply(error, isDatabaseUnavailable);
      if (isBug) logger.error({ err: error }, 'request failed');
      return realm && status < 500
        ? await loginPage(realm, { status, msg: body.msg })
        : await page(status, 'Log in', html`<p>${body.msg}</p>`, headers);
    }
  };

  const show = serve(async (c, realm) => {
    const account = await accountPage(c, realm).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
    });
    return account ?? (await loginPage(realm));
  });

  const enter = serve(async (c, realm) => {
    sessions.assertOwnOrigin(c);
    const { username, password } = await readForm(c, credentials);
    const logins = limits.logins({ realm, address: deps.addressOf(c) });
    const place = { engine, clock, realm, logins, signIn: deps.signIn(realm) };
    return await start(c, realm, await logIn(place, username, password));
  });

  const leave = serve(async (c, realm) => {
    const session = sessions.read(c);
    const { csrfmiddlewaretoken } = await readForm(c, { csrfmiddlewaretoken: form.line(200).optional() });
    sessions.assertOwnPage(session, c.req.header('x-csrftoken') ?? csrfmiddlewaretoken);
    const cookies = await sessions.end(realm, session);
    const response = acceptsJson(c)
      ? reply({ result: 'success', msg: '' }, 200)
      : await page(200, 'Logged out', html`<p><a class="button" href="/">Log in again</a></p>`);
    return withCookies(response, cookies);
  });

  /** Whoever has a session and knows the password, may have the API key. */
  async function fetchApiKey(c: Context): Promise<Response> {
    try {
      const realm = await findRealm(c);
      const session: PresentedSession = sessions.read(c);
      const actor = await sessions.authenticate(engine.db, realm, session);
      sessions.assertOwnPage(session, c.req.header('x-csrftoken'));
      const { password } = await readForm(c, { password: form.text() });
      await passwordGuesses.limit(actor, async () => {
        if (await isPasswordOf(realm, actor, password)) return;
        throw new ApiError('BAD_REQUEST', 'Password is incorrect.');
      });
      return reply({ result: 'success', msg: '', api_key: deps.apiKeyOf(actor), email: actor.email }, 200);
    } catch (error) {
      return refuse(error, logger, {}, sessionChallenge);
    }
  }

  /** Whether a password is that of an account, here or in the directory. */
  async function isPasswordOf(realm: Realm, { id, email }: { id: number; email: string }, password: string) {
    const [home, hash] = await engine.snapshot(async (tx) => {
      const row = await tx.query.users.findFirst({ where: (users, { eq }) => eq(users.id, id) });
      return [await model.realms.getRealm(tx, realm.id), row?.passwordHash ?? null] as const;
    });
    const signIn = deps.signIn(realm);
    const methods = model.signIn.enabledMethods(home, signIn.available);
    if (methods.has('Email') && (await model.users.verifyPassword(hash, password))) return true;
    const identity = methods.has('LDAP') ? await signIn.findByLdap(email, password) : null;
    return identity?.email.toLowerCase() === email.toLowerCase();
  }

  for (const path of ['/login', '/login/']) {
    app.get(path, show);
    app.post(path, enter);
  }
  for (const path of ['/logout', '/logout/']) app.post(path, leave);
  app.post('/json/fetch_api_key', fetchApiKey);
  return app;
}

function withCookies(response: Response, cookies: string[]): Response {
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
}

const passwordForm = html`<form method="post" action="/login/">
  <label>
    Your email address or username
    <input name="username" autocomplete="username" maxlength="254" required />
  </label>
  <label>
    Your password
    <input name="password" type="password" autocomplete="current-password" required />
  </label>
  <button>Log in</button>
</form>`;

const externalLink = ({ login_url, display_name }: { login_url: string; display_name: string }) =>
  html`<p><a href="${login_url}">Log in with ${display_name}</a></p>`;

const loggedInPage = ({ fullName, email }: { fullName: string; email: string }, csrfToken: string) =>
  page(
    200,
    'You are logged in',
    html`<p>You are ${fullName} (${email}).</p>
      <p><a class="button" href="/">Go to the chat</a></p>
      <form method="post" action="/logout/">
        <input type="hidden" name="csrfmiddlewaretoken" value="${csrfToken}" />
        <button>Log out</button>
      </form>`,
  );
