import { ApiError } from '@parley/protocol';

export interface BasicCredentials {
  email: string;
  apiKey: string;
}

const keyFormat = /^[A-Za-z0-9]{32}$/;

export const notLoggedIn = () =>
  new ApiError('UNAUTHENTICATED_USER', 'Log in first: this endpoint needs an email address and an API key.');

/**
 * Reads `Authorization: Basic base64(email:key)`. The checks come in the order that the contract documents: a header is
 * there, its scheme is Basic, it holds a pair, the key has the form of a key.
 * @throws UNAUTHENTICATED_USER without a header, UNAUTHORIZED, or BAD_REQUEST for another scheme
 */
export function readBasicAuth(header: string | undefined): BasicCredentials {
  if (header === undefined || header === '') throw notLoggedIn();
  const space = header.indexOf(' ');
  if (header.slice(0, space).toLowerCase() !== 'basic') {
    throw new ApiError('BAD_REQUEST', 'Use HTTP basic authentication, with an email address and an API key.');
  }
  const pair = Buffer.from(header.slice(space + 1), 'base64').toString('utf8');
  const colon = pair.lastIndexOf(':');
  if (colon < 1) throw new ApiError('UNAUTHORIZED', 'The Authorization header is malformed.');
  const [email, apiKey] = [pair.slice(0, colon), pair.slice(colon + 1)];
  // No address contains a NUL, and Postgres refuses to look for one.
  if (email.includes('\0')) throw new ApiError('UNAUTHORIZED', 'The Authorization header is malformed.');
  return { email, apiKey: readApiKey(apiKey) };
}

/**
 * Reads what is presented as an API key.
 * @throws UNAUTHORIZED for what has not the form of one
 */
export function readApiKey(text: string): string {
  if (!keyFormat.test(text)) throw new ApiError('UNAUTHORIZED', 'This API key is malformed.');
  return text;
}
