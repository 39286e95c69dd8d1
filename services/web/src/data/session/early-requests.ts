import { type EarlyPage, pageOfSession, registrationOfSession } from '@parley/client';

import { knownNarrow } from '../../base/router/known-narrow.ts';
import { startOf } from '../../base/router/narrow-kind.ts';
import { readNarrow } from '../../base/router/narrow.ts';

type Asked = NonNullable<ReturnType<typeof registrationOfSession>> & {
  response: Promise<Response>;
  ending: AbortController;
};

/** What was asked for early. */
interface Early {
  asked: Set<Asked>;
  pages: Set<EarlyPage>;
}

/** The page's own script asks and the program takes: two bundles, each with this module. */
const shared = globalThis as { parleyEarly?: Early };
const { asked, pages } = (shared.parleyEarly ??= { asked: new Set(), pages: new Set() });
const pageLimitMs = 30_000;
/** A message of one line below another of its sender. */
const leastRowPixels = 24;
/** What stands above and below the messages takes at least that. */
const aroundPixels = 130;

/**
 * Asks for the state of the session's account while the program that shows it is still being fetched, and for the messages of
 * a fragment once that is answered: while the state is read and the page drawn. Returns whether there is a session.
 */
export function askEarly(fragment: string): boolean {
  const registration = registrationOfSession();
  if (!registration) return false;
  const { path, headers, body } = registration;
  const ending = new AbortController();
  const response = fetch(path, {
    method: 'POST',
    headers,
    body: new URLSearchParams(body),
    cache: 'no-store',
    signal: ending.signal,
  });
  // Whoever takes it hears of a failure.
  response.catch(() => undefined);
  asked.add({ ...registration, response, ending });
  askPage(fragment, response);
  return true;
}

function askPage(fragment: string, registered: Promise<Response>): void {
  const narrow = readNarrow(fragment);
  const known = narrow && knownNarrow(narrow);
  if (!narrow || !known) return;
  const at = startOf(narrow);
  const rows = Math.min(50, Math.max(20, Math.ceil((innerHeight - aroundPixels) / leastRowPixels)));
  // In the middle of a conversation, each half of a page fills the window: the other may be empty.
  const { url, headers, params } = pageOfSession(known, at, at === 'newest' ? rows : 2 * rows);
  const ask = async () => {
    // A page from before the registration would lack what happened in between: no event tells it.
    if (!(await registered).ok) throw new Error('There is no registration.');
    const signal = AbortSignal.timeout(pageLimitMs);
    const response = await fetch(url, { headers, cache: 'no-store', signal });
    if (!response.ok) throw new Error('There is no page.');
    return (await response.json()) as Awaited<EarlyPage['reply']>;
  };
  const reply = ask();
  // Whoever takes it asks again.
  reply.catch(() => undefined);
  pages.add({ params, reply });
}

/** Returns the answer to a request that was sent early, once, within its limits: for another, or a second time, null. */
export function takeEarly(input: RequestInfo | URL, init: RequestInit | undefined): Promise<Response> | null {
  for (const one of asked) {
    const { body, signal } = init ?? {};
    if (input !== one.path || !(body instanceof URLSearchParams) || body.toString() !== one.body) continue;
    asked.delete(one);
    const end = () => one.ending.abort(signal?.reason);
    if (signal?.aborted === true) end();
    signal?.addEventListener('abort', end, { once: true });
    return one.response;
  }
  // Another registration is later than the page.
  if (pages.size > 0 && input === registrationOfSession()?.path) pages.clear();
  return null;
}

/** Returns the page that was asked for after the early registration, once; null if there is another registration. */
export function takeEarlyPage(): EarlyPage | null {
  const [page = null] = pages;
  pages.clear();
  return page;
}
