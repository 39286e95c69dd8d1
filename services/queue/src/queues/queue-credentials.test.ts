import { ApiError } from '@parley/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { queueOf } from '../core/fixtures.test-support.ts';
import { checkCredentials, isVerifiedHeader } from './queue-credentials.ts';

test('a header is recognised when it equals the verified one, and no other header is', () => {
  const header = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(header, header, (verifiedHeader, presented) => {
      expect(isVerifiedHeader({ verifiedHeader }, verifiedHeader)).toBe(true);
      expect(isVerifiedHeader({ verifiedHeader }, presented)).toBe(verifiedHeader === presented);
      expect(isVerifiedHeader({ verifiedHeader: null }, presented)).toBe(false);
      expect(isVerifiedHeader({ verifiedHeader }, undefined)).toBe(false);
    }),
  );
});

test('a header is recognised by all of its characters, and a very long one is not', () => {
  const isVerified = (verifiedHeader: string, presented = verifiedHeader) =>
    isVerifiedHeader({ verifiedHeader }, presented);
  for (const [character, length] of [
    ['x', 4095],
    ['é', 4095],
  ] as const) {
    const start = character.repeat(length);
    expect(isVerified(`${start}a`), character).toBe(true);
    expect(isVerified(`${start}a`, `${start}b`), character).toBe(false);
  }
  const long = 'x'.repeat(4096);
  expect(isVerified(`${long}a`)).toBe(false);
  expect(isVerified(`${long}a`, `${long}b`)).toBe(false);
});

test('everybody but the owner is refused: by the queue to others, by name to whoever has a wrong key', () => {
  const [key, otherKey] = ['a'.repeat(32), 'c'.repeat(32)] as const;
  const sessions = new Map([
    ['current', 101],
    ['past', 100],
  ]);
  const queue = queueOf({ id: 'q', userId: 10, realm: 'zed' });
  const deactivated = new ApiError('UNAUTHORIZED', 'This account is deactivated.');
  const check = (
    presented: object,
    realm: string | null = 'zed',
    refusal: ApiError | null = null,
    name = 'zed',
  ) =>
    checkCredentials(
      queue,
      {
        email: 'amy@zed.example',
        apiKeys: [key, otherKey],
        isGuest: false,
        realm: name,
        sessions,
        refusal,
        revocationCount: 0,
      },
      { email: 'Amy@Zed.example', apiKey: key, ...presented },
      realm,
      100,
    );
  const refusalOf = (...args: Parameters<typeof check>) => {
    try {
      check(...args);
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
    return null;
  };
  expect(refusalOf({})).toBeNull();
  expect(refusalOf({ email: 'bo@zed.example' })).toMatchObject({
    code: 'BAD_EVENT_QUEUE_ID',
    extra: { queue_id: 'q' },
  });
  expect(refusalOf({ apiKey: otherKey }), 'by the other secret').toBeNull();
  expect(refusalOf({ apiKey: 'b'.repeat(32) })).toMatchObject({ code: 'UNAUTHORIZED' });
  expect(refusalOf({}, 'zed', deactivated)).toBe(deactivated);
  // The realm has another name since the queue was registered.
  for (const host of ['zed', 'zoe'])
    expect(refusalOf({}, host, null, 'zoe')).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  expect(refusalOf({}, 'other')).toMatchObject({ code: 'UNAUTHORIZED' });
  expect(refusalOf({}, null)).toMatchObject({ code: 'UNAUTHORIZED' });
  const session = (userId: number, tokenHash: string) => refusalOf({ userId, token: 'x', tokenHash });
  expect(session(10, 'current')).toBeNull();
  for (const gone of ['past', 'unknown']) {
    expect(session(10, gone)).toMatchObject({
      code: 'UNAUTHENTICATED_USER',
      message: 'Your session has ended. Log in again.',
    });
  }
  expect(session(11, 'current')).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
});
