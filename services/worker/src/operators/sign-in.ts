import { readCookie } from '@parley/http';
import type { Clock } from '@parley/kit';
import { type Signer, operatorScopes } from '@parley/redis';

const cookieName = 'parley_operator';
const sessionHours = 12;

/** Who may see the operators' page: whoever has shown a token that `parley operator token` made. */
export interface SignIn {
  /** Whether a request carries a session that lasts. */
  isSignedIn(cookieHeader: string | undefined): boolean;
  /** The cookie of a new session; null if the token is not valid, or not any more. */
  begin(token: string): string | null;
}

/**
 * Signs operators in, and stores nothing: tokens and sessions are times until which they hold, signed with the server's
 * secret.
 */
export function createSignIn(signer: Signer, clock: Clock): SignIn {
  function holds(scope: string, signed: string | undefined): boolean {
    const until = signed === undefined ? null : signer.verify(scope, signed);
    return until !== null && Number(until) > clock.nowMs();
  }
  return {
    isSignedIn: (header) => holds(operatorScopes.session, readCookie(header, cookieName)),
    begin(token) {
      if (!holds(operatorScopes.token, token)) return null;
      const session = signer.sign(operatorScopes.session, `${clock.nowMs() + sessionHours * 3_600_000}`);
      const seconds = sessionHours * 3600;
      return `${cookieName}=${session}; Path=/operators; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
    },
  };
}
