import { registrationOfSession } from '@parley/client';

type Asked = NonNullable<ReturnType<typeof registrationOfSession>> & { response: Promise<Response> };

const asked = new Set<Asked>();

/** Asks for the state of the session's account while the program that shows it is still being fetched. */
export function registerEarly(): void {
  const registration = registrationOfSession();
  if (!registration) return;
  const { path, headers, body } = registration;
  const response = fetch(path, {
    method: 'POST',
    headers,
    body: new URLSearchParams(body),
    cache: 'no-store',
  });
  // Whoever takes it hears of a failure.
  response.catch(() => undefined);
  asked.add({ ...registration, response });
}

/** Returns the answer to a request that was sent early, once: for another, or a second time, null. */
export function takeEarly(input: RequestInfo | URL, init: RequestInit | undefined): Promise<Response> | null {
  for (const one of asked) {
    const { body } = init ?? {};
    if (input !== one.path || !(body instanceof URLSearchParams) || body.toString() !== one.body) continue;
    asked.delete(one);
    return one.response;
  }
  return null;
}
