import { RequestFailed, Unreachable } from '@parley/client';

/** The token that the server gave to the pages of its own site, which says that there is a session. */
export const csrfToken = (): string | undefined =>
  /(?:^|; )(?:__Host-)?csrftoken=([^;]+)/.exec(document.cookie)?.[1];

/** Forgets that there was a session. The session itself is in a cookie that scripts do not see. */
export function forgetSession(): void {
  document.cookie = 'csrftoken=; Path=/; Max-Age=0; SameSite=Lax';
  document.cookie = '__Host-csrftoken=; Path=/; Max-Age=0; SameSite=Lax; Secure';
}

/**
 * Posts to one of the pages where sessions begin and end, which are not below the API's address.
 * @throws RequestFailed, Unreachable
 */
export async function postForm(path: string, fields: Record<string, string>): Promise<void> {
  const token = csrfToken();
  let response: Response;
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { Accept: 'application/json', ...(token !== undefined && { 'X-CSRFToken': token }) },
      body: new URLSearchParams(fields),
    });
  } catch (error) {
    throw new Unreachable(error);
  }
  if (response.ok) return;
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new RequestFailed(response.status, body, Number.isFinite(seconds) ? seconds * 1000 : null);
}
