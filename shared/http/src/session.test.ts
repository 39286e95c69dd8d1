import { describe, expect, test } from 'vitest';

import {
  assertCsrfToken,
  csrfTokenOf,
  hashSessionToken,
  newSessionToken,
  readCookie,
  readSession,
  sessionChallenge,
  sessionCookies,
} from './session.ts';

const secret = 'a secret';
const random = 'x'.repeat(43);
const refused = expect.objectContaining({
  code: 'UNAUTHENTICATED_USER',
  message: expect.stringContaining('You are not logged in'),
});

describe('the token of a session', () => {
  test('says whose it is, and can be guessed from no other', () => {
    const [first, second] = [newSessionToken(7), newSessionToken(7)];
    expect(first).toMatch(/^7\.[\w-]{43}$/);
    expect(second).not.toBe(first);
  });

  test('is stored as a hash', () => {
    expect(hashSessionToken('7.token')).toBe('uhV__-U8lRMCpYDZaj2Y5aVKq6WrCpJAfuGx4X2auxU');
  });
});

describe('the session of a request', () => {
  test('is that of its cookie, wherever that stands', () => {
    const token = newSessionToken(4294967295);
    for (const cookie of [
      `sessionid=${token}`,
      `a=b; sessionid=${token}; csrftoken=c`,
      `mysessionid=7.${random};sessionid=${token}`,
    ]) {
      expect(readSession(cookie, false)).toEqual({
        userId: 4294967295,
        token,
        tokenHash: hashSessionToken(token),
      });
    }
  });

  test('over TLS is in a cookie that no other host can set', () => {
    const token = newSessionToken(7);
    expect(readSession(`__Host-sessionid=${token}`, true).token).toBe(token);
    expect(() => readSession(`sessionid=${token}`, true)).toThrow('You are not logged in');
    expect(() => readSession(`__Host-sessionid=${token}`, false)).toThrow('You are not logged in');
  });

  test('is none without a token that is one', () => {
    for (const token of ['', random, `.${random}`, `a.${random}`, `12345678901.${random}`, `7.${random}x`]) {
      expect(() => readSession(`sessionid=${token}`, false), token).toThrow(refused);
    }
    for (const token of [`7.${random.slice(1)}`, `7.${random.slice(1)}!`, `x7.${random}`, `7x${random}`]) {
      expect(() => readSession(`sessionid=${token}`, false), token).toThrow(refused);
    }
    expect(() => readSession(undefined, false)).toThrow(refused);
  });
});

test('a cookie may be empty or hold a sign that parts others', () => {
  expect(readCookie('a=; b=1=2', 'a')).toBe('');
  expect(readCookie('a=; b=1=2', 'b')).toBe('1=2');
  expect(readCookie('a=1', 'b')).toBeUndefined();
  expect(readCookie(undefined, 'a')).toBeUndefined();
});

describe('what shows that a page of this site asks', () => {
  const token = newSessionToken(7);
  const session = { userId: 7, token, tokenHash: hashSessionToken(token) };

  test('is the token that the session’s pages have', () => {
    const right = csrfTokenOf(secret, session.token);
    expect(right).toMatch(/^[\w-]{43}$/);
    expect(() => assertCsrfToken([secret], session, right)).not.toThrow();
  });

  test('is neither another session’s, nor made without the secret, nor a part', () => {
    const right = csrfTokenOf(secret, session.token);
    for (const sent of [
      csrfTokenOf(secret, newSessionToken(7)),
      csrfTokenOf('another', session.token),
      hashSessionToken(session.token),
      right.slice(1),
      `${right}=`,
      '',
    ]) {
      expect(() => assertCsrfToken([secret], session, sent), sent).toThrow(
        expect.objectContaining({
          code: 'CSRF_FAILED',
          message: 'This request did not come from a page of this site. The CSRF token is wrong.',
          extra: { reason: 'The CSRF token is wrong.' },
        }),
      );
    }
  });

  test('is not left out', () => {
    expect(() => assertCsrfToken([secret], session, undefined)).toThrow(
      expect.objectContaining({
        code: 'CSRF_FAILED',
        message: 'This request did not come from a page of this site. The CSRF token is missing.',
        extra: { reason: 'The CSRF token is missing.' },
      }),
    );
  });
});

describe('the cookies of a session', () => {
  const token = `7.${random}`;
  const csrf = csrfTokenOf(secret, token);

  test('last as long as it does, and no script reads its token', () => {
    expect(sessionCookies(secret, token, { isHttps: false, seconds: 60 })).toEqual([
      `sessionid=${token}; HttpOnly; Path=/; SameSite=Lax; Max-Age=60`,
      `csrftoken=${csrf}; Path=/; SameSite=Lax; Max-Age=60`,
    ]);
  });

  test('over TLS go nowhere else', () => {
    expect(sessionCookies(secret, token, { isHttps: true, seconds: 60 })).toEqual([
      `__Host-sessionid=${token}; HttpOnly; Path=/; SameSite=Lax; Max-Age=60; Secure`,
      `__Host-csrftoken=${csrf}; Path=/; SameSite=Lax; Max-Age=60; Secure`,
    ]);
  });

  test('are taken away with it', () => {
    expect(sessionCookies(secret, null, { isHttps: false, seconds: 60 })).toEqual([
      'sessionid=; HttpOnly; Path=/; SameSite=Lax; Max-Age=0',
      'csrftoken=; Path=/; SameSite=Lax; Max-Age=0',
    ]);
  });
});

test('where one signs in with a session, a refusal asks for one', () => {
  expect(sessionChallenge).toEqual({ 'WWW-Authenticate': 'Session realm="parley"' });
});
