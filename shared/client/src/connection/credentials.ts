/**
 * Who asks: an account by its API key, the browser's session by its cookies, or nobody. An API key is sent below
 * `/api/v1`, a session below `/json`.
 */
export type Credentials = { email: string; apiKey: string } | 'session' | 'none';

/** Returns the path below which requests with the credentials go. */
export const pathOf = (credentials: Credentials): string => (credentials === 'session' ? '/json' : '/api/v1');

/** The headers that show who asks. */
export function headersOf(credentials: Credentials, isWrite: boolean): Record<string, string> {
  if (credentials === 'none') return {};
  if (credentials === 'session') {
    const token = isWrite ? csrfToken() : undefined;
    return token === undefined ? {} : { 'X-CSRFToken': token };
  }
  const bytes = new TextEncoder().encode(`${credentials.email}:${credentials.apiKey}`);
  return { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

/** The token that the server gave to the pages of its own site. Over TLS the cookie has a prefix. */
function csrfToken(): string | undefined {
  const cookies = typeof document === 'undefined' ? '' : document.cookie;
  return /(?:^|; )(?:__Host-)?csrftoken=([^;]+)/.exec(cookies)?.[1];
}
