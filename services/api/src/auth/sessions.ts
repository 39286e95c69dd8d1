import * as actions from '@parley/actions';
import type { Tx, UserRow } from '@parley/db';
import type { Engine } from '@parley/engine';
import {
  type PresentedSession,
  assertCsrfToken,
  csrfCookie,
  csrfTokenOf,
  hashSessionToken,
  newSessionToken,
  readSession,
  sessionCookies,
} from '@parley/http';
import type { Clock, Secrets } from '@parley/kit';
import type { Actor, Realm } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, limits, sessionTimes } from '@parley/protocol';
import type { Context } from 'hono';

export interface StartedSession {
  token: string;
  cookies: string[];
}

/** Sessions of people in browsers. */
export interface Sessions {
  /**
   * The session that a request carries.
   * @throws UNAUTHENTICATED_USER without one
   */
  read(c: Context): PresentedSession;
  /**
   * The account of a session, as the database has it.
   * @throws UNAUTHENTICATED_USER for one that has ended; REALM_DEACTIVATED, USER_DEACTIVATED
   */
  authenticate(tx: Tx, realm: Realm, session: PresentedSession): Promise<Actor>;
  /** @throws CSRF_FAILED for a request that no page of this site sent; `sent` is the token that the request carries */
  assertOwnPage(session: PresentedSession, sent: string | undefined): void;
  /** The header that gives the pages of a session the present token, if they sent that of the other secret. */
  renewedToken(session: PresentedSession, sent: string | undefined): string | undefined;
  /** @throws CSRF_FAILED for a request that a page of another site sent, before there is a session */
  assertOwnOrigin(c: Context): void;
  csrfTokenOf(session: Pick<PresentedSession, 'token'>): string;
  /** Starts a session in the browser that asks; answers with its token and the headers that give it to the browser. */
  start(c: Context, realm: Realm, user: UserRow): Promise<StartedSession>;
  /** Ends a session; answers with the headers that take it from the browser. */
  end(realm: Realm, session: PresentedSession): Promise<string[]>;
}

interface SessionsDeps {
  engine: Engine;
  clock: Clock;
  secrets: Secrets;
  isHttps: boolean;
}

export function createSessions({ engine, clock, secrets, isHttps }: SessionsDeps): Sessions {
  const options = { isHttps, seconds: sessionTimes.validMs / 1000 };
  return {
    read: (c) => readSession(c.req.header('cookie'), isHttps),
    authenticate: (tx, realm, session) =>
      model.sessions.getSessionActor(tx, realm, session, new Date(clock.nowMs())),
    assertOwnPage: (session, sent) => assertCsrfToken(secrets, session, sent),
    renewedToken: ({ token }, sent) =>
      secrets[1] === undefined || sent === undefined || sent === csrfTokenOf(secrets[0], token)
        ? undefined
        : csrfCookie(secrets[0], token, options),
    assertOwnOrigin(c) {
      const origin = c.req.header('origin');
      const isOwn = origin === undefined || hostOf(origin) === c.req.header('host');
      if (isOwn && c.req.header('sec-fetch-site') !== 'cross-site') return;
      const reason = 'The request comes from another site.';
      throw new ApiError('CSRF_FAILED', `This request did not come from a page of this site. ${reason}`, {
        reason,
      });
    },
    csrfTokenOf: ({ token }) => csrfTokenOf(secrets[0], token),
    async start(c, realm, user) {
      const token = newSessionToken(user.id);
      const hash = hashSessionToken(token);
      await engine.perform(realm.id, actions.sessions.start, {
        realm,
        user,
        tokenHash: hash,
        userAgent: c.req.header('user-agent')?.slice(0, limits.sessionUserAgentLength) ?? null,
        nowMs: clock.nowMs(),
      });
      return { token, cookies: sessionCookies(secrets[0], token, options) };
    },
    async end(realm, session) {
      await engine.perform(realm.id, actions.sessions.end, {
        user: { id: session.userId, realm },
        tokenHash: session.tokenHash,
      });
      return sessionCookies(secrets[0], null, options);
    },
  };
}

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null);
