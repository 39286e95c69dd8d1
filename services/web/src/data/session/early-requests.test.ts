import { registrationOfSession } from '@parley/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { askEarly, takeEarly, takeEarlyPage } from './early-requests.ts';

const sent: { path: unknown; signal: AbortSignal | null | undefined }[] = [];

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal('document', { cookie: 'csrftoken=token' });
  vi.stubGlobal('innerHeight', 800);
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
  askEarly('#inbox');
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
  askEarly('#inbox');
  expect(sent).toEqual([]);
});

const inTopic = '#narrow/channel/12-lab/topic/lunch';

/** Answers what is asked as it comes: a registration by hand, messages at once. */
function answering() {
  const registration: { answer: (status: number) => void }[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    sent.push({ path, signal: null });
    if (path.includes('/messages'))
      return Response.json({ messages: [], found_oldest: true, found_newest: true });
    return await new Promise<Response>((resolve) => {
      registration.push({ answer: (status) => resolve(new Response('{}', { status })) });
    });
  });
  return (status: number) => registration[0]?.answer(status);
}

test('as many messages of the address as fill the window are asked for when the registration was answered, and not before', async () => {
  const answer = answering();
  askEarly(inTopic);
  const page = takeEarlyPage();
  expect(page?.params).toEqual({
    narrow: [
      { operator: 'channel', operand: 12 },
      { operator: 'topic', operand: 'lunch' },
    ],
    anchor: 'first_unread',
    num_before: 28,
    num_after: 28,
  });
  expect(sent).toHaveLength(1);
  answer(200);
  await expect(page?.reply).resolves.toMatchObject({ messages: [] });
  expect(sent.map(({ path }) => String(path).replace(/\?.*/, ''))).toEqual([
    '/json/register',
    '/json/messages',
  ]);
  expect(takeEarlyPage()).toBeNull();
});

test('a page is not taken where the registration was refused, or there is another one', async () => {
  const answer = answering();
  askEarly(inTopic);
  const page = takeEarlyPage();
  answer(503);
  await expect(page?.reply).rejects.toThrow('registration');
  askEarly(inTopic);
  const again = () => takeEarly('/json/register', asked());
  while (again()) expect(sent.length).toBeGreaterThan(0);
  expect(takeEarlyPage()).toBeNull();
});

test.each([
  '#inbox',
  '#narrow/channel/lab/topic/lunch',
  '#narrow/dm/some@example.com',
  '#narrow/channel/12-lab/near/7',
  '#narrow/channel/12-lab/topic/lunch/with/7',
])('no page is asked for early where the address tells it too little: %s', (fragment) => {
  askEarly(fragment);
  expect(takeEarlyPage()).toBeNull();
});
