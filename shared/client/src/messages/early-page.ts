import { headersOf, pathOf } from '../connection/credentials.ts';
import { type Params, encode } from '../connection/encode.ts';
import type { Narrow } from './narrow.ts';
import { type Anchor, pageAt, pageForm } from './page-form.ts';

/**
 * Returns the request by which a browser's session asks for the first page of a narrow, as its list makes it: for a program
 * that sends it as soon as the registration is answered, and gives the answer to `createClient` as `earlyPage`.
 * @param pageSize may be less than what the list would ask for: what first fills the window is there sooner
 */
export function pageOfSession(
  narrow: Narrow,
  at: Anchor,
  pageSize: number,
): { url: string; headers: Record<string, string>; params: Params } {
  const params = { narrow, ...pageAt(at, pageSize) };
  const query = encode({ ...pageForm, ...params }).toString();
  return { url: `${pathOf('session')}/messages?${query}`, headers: headersOf('session', false), params };
}
