import type { UserRow } from '@parley/db';
import type { PresentedSession } from '@parley/http';
import type { Logger } from '@parley/kit';
import type { Actor } from '@parley/model';
import type { LanguageTag, PageTexts } from '@parley/strings';
import type { Context } from 'hono';
import type { z } from 'zod';

import type { Oidc } from '../auth/oidc.ts';
import type { StartedSession } from '../auth/sessions.ts';
import type { Html } from '../http/page.ts';
import type { Parameters, ParametersOf } from '../http/parameters.ts';
import type { ClientFiles } from '../static/client-files.ts';
import type { RequestContext } from './context.ts';
import { type Described, usual } from './endpoint.ts';

/** A page as its endpoint answers with it. */
export interface Page {
  /** The language that it is in, where that is not the one of the request. */
  language?: LanguageTag;
  title: string;
  content: Html;
  /** What programs are answered that accept JSON. Without it, they get the page. */
  json?: object;
  cookies?: readonly string[];
}

export interface Redirect {
  location: string;
  cookies: readonly string[];
}

/**
 * An endpoint for people in a browser, which answers with HTML. What it refuses is said on a page too, and as JSON to
 * programs that accept JSON.
 */
export interface PageEndpoint extends Described {
  kind: 'page';
  method: 'GET' | 'POST';
  auth: 'none';
  /** The title of the page that says what was refused. */
  title(text: PageTexts): string;
  /** Whether it refuses forms that a page of another site sends. */
  ownSiteOnly: boolean;
  /** What programs that accept JSON are answered; null where there is nothing for programs. */
  returns: z.ZodRawShape | null;
  handle(context: PageContext<never>): Promise<Page | Redirect | Response>;
  /** The page with the form that was refused, on which the mistake can be mended. */
  form: ((context: PageContext<Record<string, string | undefined>>) => Promise<Page>) | null;
}

/** A request of somebody's browser, as the endpoint of a page sees it. */
export interface PageContext<Params> extends Pick<
  RequestContext<Params, null>,
  | 'realm'
  | 'params'
  | 'clock'
  | 'snapshot'
  | 'perform'
  | 'writeWithoutLog'
  | 'auth'
  | 'invitations'
  | 'canMail'
> {
  browser: Browser;
  /** What pages say, in the language that the browser prefers, or the organization's. */
  text: PageTexts;
  oidc: Oidc | null;
  /** Reads the keys in links that were mailed; null for a key that this server has not signed. */
  links: Links;
  readonly clientFiles: () => Promise<ClientFiles>;
  log: Pick<Logger, 'info'>;
}

export interface Links {
  readInvitation(key: string): number | null;
  readUnsubscription(key: string): number | null;
  readEmailChange(key: string): number | null;
  /** Whether a key gives an account, as it is now, a new password. */
  isPasswordReset(key: string, account: UserRow): boolean;
}

/** What a browser sends along, and its session. */
export interface Browser {
  /** The request itself: the client's page is sent by what the browser has, and accepts. */
  request: Context;
  /** The language that it prefers; null if it names none that there is. */
  language: LanguageTag | null;
  /** Whether it comes by TLS. */
  isHttps: boolean;
  cookie(name: string): string | undefined;
  /** @throws UNAUTHENTICATED_USER without a session */
  session(): PresentedSession;
  /** @throws UNAUTHENTICATED_USER, REALM_DEACTIVATED, USER_DEACTIVATED */
  account(session: PresentedSession): Promise<Actor>;
  csrfTokenOf(session: Pick<PresentedSession, 'token'>): string;
  /** @throws CSRF_FAILED for a form that no page of this site sent; `sent` is its token, if no header has it */
  assertOwnPage(session: PresentedSession, sent: string | undefined): void;
  start(user: UserRow): Promise<StartedSession>;
  end(session: PresentedSession): Promise<string[]>;
}

interface Declaration<Shape extends Parameters>
  extends
    Pick<PageEndpoint, 'method' | 'path' | 'summary' | 'errors' | 'title'>,
    Partial<Pick<PageEndpoint, 'ownSiteOnly' | 'returns' | 'form'>> {
  params: Shape;
  handle(context: PageContext<ParametersOf<Shape>>): Promise<Page | Redirect | Response>;
}

/** Declares a page. */
export const pageEndpoint = <Shape extends Parameters>(declared: Declaration<Shape>): PageEndpoint => ({
  ...usual,
  kind: 'page',
  auth: 'none',
  ownSiteOnly: false,
  returns: null,
  form: null,
  ...declared,
});
