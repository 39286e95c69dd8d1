import { headersOf, pathOf } from '../connection/credentials.ts';
import { encode } from '../connection/encode.ts';
import { capabilities } from './capabilities.ts';

/** What whoever follows asks POST /register for. */
export const registration = {
  apply_markdown: true,
  client_gravatar: false,
  slim_presence: true,
  include_subscribers: 'true',
  client_capabilities: capabilities,
};

/**
 * Returns the request by which a browser's session begins to follow, as `follow` makes it: for a page that sends it before
 * the rest of its program has come. Null where there is no session.
 */
export function registrationOfSession(): {
  path: string;
  headers: Record<string, string>;
  body: string;
} | null {
  const headers = headersOf('session', true);
  if (Object.keys(headers).length === 0) return null;
  return { path: `${pathOf('session')}/register`, headers, body: encode(registration).toString() };
}
