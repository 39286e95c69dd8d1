import { registrationOfSession } from '@parley/client';

type Asked = NonNullable<ReturnType<typeof registrationOfSession>> & {
  response: Promise<Response>;
  ending: AbortController;
};

const asked = new Set<Asked>();

/** Asks for the state of the session's account while the program that shows it is still being fetched. */
export function registerEarly(): void {
  const registration = registrationOfSession();
  if (!registration) return;
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
  return null;
}
