import { type PresentedSession, assertCsrfToken, readSession } from '@parley/http';
import type { Secrets } from '@parley/kit';

/** Reads the sessions that browsers present. Whether they exist is for the queue's credentials to say. */
export interface SessionParser {
  /** @throws UNAUTHENTICATED_USER without one */
  read(cookie: string | undefined): PresentedSession;
  /** @throws CSRF_FAILED for a request that no page of this site sent */
  assertOwnPage(session: PresentedSession, sent: string | undefined): void;
}

export const createSessionParser = ({
  secrets,
  isHttps,
}: {
  secrets: Secrets;
  isHttps: boolean;
}): SessionParser => ({
  read: (cookie) => readSession(cookie, isHttps),
  assertOwnPage: (session, sent) => assertCsrfToken(secrets, session, sent),
});
