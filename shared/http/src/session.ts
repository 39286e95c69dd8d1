import { createHash, createHmac, randomBytes } from 'node:crypto';

import { type Secrets, isMadeWith } from '@parley/kit';
import { ApiError } from '@parley/protocol';

import { textOfItsOwn } from './own-text.ts';

/** What a browser presents: a token whose hash is stored, and that says whose it is. */
export interface PresentedSession {
  userId: number;
  token: string;
  tokenHash: string;
}

/** Names of cookies. Over TLS they have the prefix by which browsers take them from nobody but this very host. */
const cookieNames = (isHttps: boolean) => {
  const prefix = isHttps ? '__Host-' : '';
  return { session: `${prefix}sessionid`, csrf: `${prefix}csrftoken` };
};

const tokenFormat = /^(\d{1,10})\.[\w-]{43}$/;

export const newSessionToken = (userId: number) => `${userId}.${randomBytes(32).toString('base64url')}`;

export const hashSessionToken = (token: string) => createHash('sha256').update(token).digest('base64url');

/** Returns the token that a browser's own pages send back with whatever changes something. */
export const csrfTokenOf = (secret: string, token: string) =>
  createHmac('sha256', secret).update(`csrf:${token}`).digest('base64url');

const notLoggedIn = () => new ApiError('UNAUTHENTICATED_USER', 'You are not logged in.');

/** The challenge of a 401 where one signs in with a session. */
export const sessionChallenge = { 'WWW-Authenticate': 'Session realm="parley"' } as const;

/**
 * Reads the session of a Cookie header. Whether it exists is not looked up.
 * @throws UNAUTHENTICATED_USER without one
 */
export function readSession(cookie: string | undefined, isHttps: boolean): PresentedSession {
  const token = readCookie(cookie, cookieNames(isHttps).session);
  const [, userId] = tokenFormat.exec(token ?? '') ?? [];
  if (token === undefined || userId === undefined) throw notLoggedIn();
  return { userId: Number(userId), token: textOfItsOwn(token), tokenHash: hashSessionToken(token) };
}

/** Returns the value of a cookie in a Cookie header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

/**
 * Refuses a request that changes something and does not show that a page of this site sent it.
 * @throws CSRF_FAILED
 */
export function assertCsrfToken(
  secrets: Secrets,
  { token }: PresentedSession,
  sent: string | undefined,
): void {
  const refusal = (reason: string) =>
    new ApiError('CSRF_FAILED', `This request did not come from a page of this site. ${reason}`, { reason });
  if (sent === undefined) throw refusal('The CSRF token is missing.');
  if (!isMadeWith(secrets, sent, (secret) => csrfTokenOf(secret, token))) {
    throw refusal('The CSRF token is wrong.');
  }
}

/** Returns the Set-Cookie headers with which a session begins; with null, it ends. */
export function sessionCookies(secret: string, token: string | null, lifetime: CookieLifetime): string[] {
  const { session } = cookieNames(lifetime.isHttps);
  const attributes = attributesOf(token, lifetime);
  return [`${session}=${token ?? ''}; HttpOnly; ${attributes}`, csrfCookie(secret, token, lifetime)];
}

/** Returns the Set-Cookie header that gives the pages of a session their CSRF token. */
export function csrfCookie(secret: string, token: string | null, lifetime: CookieLifetime): string {
  const { csrf } = cookieNames(lifetime.isHttps);
  return `${csrf}=${token === null ? '' : csrfTokenOf(secret, token)}; ${attributesOf(token, lifetime)}`;
}

interface CookieLifetime {
  isHttps: boolean;
  seconds: number;
}

const attributesOf = (token: string | null, { isHttps, seconds }: CookieLifetime) =>
  `Path=/; SameSite=Lax; Max-Age=${token === null ? 0 : seconds}${isHttps ? '; Secure' : ''}`;
