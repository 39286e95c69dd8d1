import { readCookie, sessionChallenge } from '@parley/http';
import type { Actor, Realm } from '@parley/model';
import { type LanguageTag, type PageTexts, pageText } from '@parley/strings';
import { html } from 'hono/html';

import type { RequestContext } from '../endpoint/context.ts';
import type { Browser, Page, PageContext, PageEndpoint, Redirect } from '../endpoint/page.ts';
import { acceptedLanguage } from '../http/accepted-language.ts';
import type { BugLog } from '../http/observe-requests.ts';
import { acceptsJson, page } from '../http/page.ts';
import { readParameters } from '../http/parameters.ts';
import { describeError, refuse, reply } from '../http/reply.ts';
import { clientName, readRequest } from '../http/request.ts';
import { contextOf } from './context-of.ts';
import type { Serve, ServeDeps } from './deps.ts';
import { translateRefusal } from './translate-refusal.ts';
import { type Visit, answer, beginVisit, carry, findRealm, requesterOf, takeFromLimit } from './visit.ts';

/** Serves a page to people in a browser, and to programs that accept JSON what the page says. */
export function servePage(endpoint: PageEndpoint, deps: ServeDeps): Serve {
  return async (c) => {
    const visit = beginVisit(c, deps);
    const steps = async (realm: Realm) => {
      await takeFromLimit(visit, deps);
      if (endpoint.ownSiteOnly) deps.callers.sessions.assertOwnOrigin(c);
      await using request = await readRequest(c, requesterOf(visit));
      visit.line.client = clientName(request.sources, c.req.header('user-agent'));
      const speech = await speechOf(visit, deps);
      const params = readParameters(endpoint.params, request.sources, endpoint);
      // Safe: the endpoint's own schemas have read the parameters.
      const context = pageContextOf(visit, realm, { params, ...speech }, deps) as PageContext<never>;
      return carry(visit, await present(visit, await endpoint.handle(context), speech.language));
    };
    return await answer(visit, deps, { find: () => findRealm(visit, deps), steps }, (error, bugs, headers) =>
      refusePage(visit, endpoint, deps, { error, bugs, headers }),
    );
  };
}

async function present(
  { c }: Visit,
  handled: Page | Redirect | Response,
  language: LanguageTag,
): Promise<Response> {
  if (handled instanceof Response) return handled;
  const { cookies = [] } = handled;
  const response =
    'location' in handled ? redirect(handled.location) : await show({ language, ...handled }, acceptsJson(c));
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
}

const show = ({ json, ...shown }: Page & { language: LanguageTag }, asJson: boolean) =>
  json && asJson ? reply({ result: 'success', msg: '', ...json }, 200) : page(200, shown);

const redirect = (location: string) =>
  new Response(null, { status: 302, headers: { Location: location, 'Cache-Control': 'private, no-store' } });

/** The language of a page, and what pages say in it. */
interface Speech {
  language: LanguageTag;
  text: PageTexts;
}

/** A page is in the language that the browser prefers; if it names none that there is, in the organization's. */
async function speechOf({ c, realm }: Visit, { pages }: ServeDeps): Promise<Speech> {
  const languageOfRealm = async () =>
    realm ? await pages.languageOf(realm).catch(() => 'en' as const) : 'en';
  const language = acceptedLanguage(c) ?? (await languageOfRealm());
  return { language, text: await pageText(language) };
}

interface Refused {
  error: unknown;
  bugs: BugLog;
  headers: Record<string, string>;
}

/** Says what is refused: in JSON, on the page with the form in which it can be mended, or on a page of its own. */
async function refusePage(
  visit: Visit,
  endpoint: PageEndpoint,
  deps: ServeDeps,
  { error, bugs, headers }: Refused,
): Promise<Response> {
  if (acceptsJson(visit.c)) return refuse(error, bugs, headers, { challenge: sessionChallenge });
  const speech = await speechOf(visit, deps);
  const said = await translateRefusal(error, speech.language);
  const { status, headers: more, body } = describeError(said, bugs);
  const all = { ...headers, ...more, ...(status === 401 && sessionChallenge) };
  const form = status < 500 ? await formOf(visit, endpoint, speech, deps) : null;
  const content = form
    ? html`<p class="refusal">${body.msg}</p>
        ${form.content}`
    : html`<p>${body.msg}</p>`;
  const title = form?.title ?? endpoint.title(speech.text);
  return await page(status, { language: speech.language, title, content }, all);
}

/** The page with the endpoint's form; null where it has none, or cannot show it to whoever asks. */
async function formOf(
  visit: Visit,
  { form }: PageEndpoint,
  speech: Speech,
  deps: ServeDeps,
): Promise<Page | null> {
  const { c, realm } = visit;
  if (!form || !realm) return null;
  return await form(pageContextOf(visit, realm, { params: c.req.param(), ...speech }, deps)).catch(
    () => null,
  );
}

function pageContextOf<Params>(
  visit: Visit,
  realm: Realm,
  { params, text }: { params: Params } & Speech,
  deps: ServeDeps,
): PageContext<Params> {
  const { oidc, links, clientFiles } = deps.pages;
  const input = { client: visit.line.client ?? '', files: [], delivery: null };
  const context: RequestContext<unknown, Actor | null> = contextOf(visit, realm, input, deps);
  return {
    ...context,
    params,
    text,
    browser: browserOf(visit, realm, deps),
    oidc,
    links,
    clientFiles,
    log: deps.logger,
  };
}

function browserOf({ c }: Visit, realm: Realm, { callers, engine, pages }: ServeDeps): Browser {
  const { sessions } = callers;
  return {
    request: c,
    language: acceptedLanguage(c),
    isHttps: pages.isHttps,
    cookie: (name) => readCookie(c.req.header('cookie'), name),
    session: () => sessions.read(c),
    account: async (session) => sessions.authenticate(await engine.dbOf(realm.id), realm, session),
    csrfTokenOf: (session) => sessions.csrfTokenOf(session),
    assertOwnPage: (session, sent) => sessions.assertOwnPage(session, c.req.header('x-csrftoken') ?? sent),
    start: (user) => sessions.start(c, realm, user),
    end: (session) => sessions.end(realm, session),
  };
}
