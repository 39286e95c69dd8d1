import { registrationOfSession } from '@parley/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { registerEarly, takeEarly } from './early-registration.ts';

const sent: { path: unknown; signal: AbortSignal | null | undefined }[] = [];

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal('document', { cookie: 'csrftoken=token' });
  vi.stubGlobal('fetch', async (path: unknown, { signal }: RequestInit) => {
    sent.push({ path, signal });
    return await new Promise<Response>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const asked = (signal?: AbortSignal): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(registrationOfSession()?.body),
  ...(signal && { signal }),
});

test('a registration that was sent early is given to the first that asks for the same, within its limit', async () => {
  registerEarly();
  expect(sent).toHaveLength(1);
  expect(takeEarly('/json/register', { ...asked(), body: new URLSearchParams({ other: '1' }) })).toBeNull();
  const limit = new AbortController();
  const answer = takeEarly('/json/register', asked(limit.signal));
  expect(takeEarly('/json/register', asked())).toBeNull();
  limit.abort(new Error('It took too long.'));
  await expect(answer).rejects.toThrow('It took too long.');
});

test('nothing is sent early by somebody who has no session', () => {
  vi.stubGlobal('document', { cookie: '' });
  registerEarly();
  expect(sent).toEqual([]);
});
