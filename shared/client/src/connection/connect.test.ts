import { describe, expect, test, vi } from 'vitest';

import { connect } from './connect.ts';
import { RequestFailed, Unreachable, isSignedOut, isTransient } from './errors.ts';

type Answer = [status: number, body: unknown, headers?: Record<string, string>] | Error;

/** A connection whose requests are answered in turn. */
function answering(...answers: Answer[]) {
  const asked: [string, RequestInit][] = [];
  const fetch = async (input: unknown, init: RequestInit = {}) => {
    asked.push([String(input), init]);
    const answer = answers.shift() ?? new Error('nothing more was expected');
    if (answer instanceof Error) throw answer;
    const [status, body, headers = {}] = answer;
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
  };
  const credentials = { email: 'ü@example.com', apiKey: 'key' };
  const connection = connect({ baseUrl: 'http://x.example/', credentials, fetch });
  return { connection, asked };
}

const success = { result: 'success', msg: '' };

describe('a request', () => {
  test('has its parameters as the API reads them, and its credentials', async () => {
    const { connection, asked } = answering([200, success], [200, success]);
    await connection.get('/messages', { anchor: 'newest', narrow: [['is', 'dm']], more: undefined });
    await connection.patch('/messages/3', { content: 'a b', flag: true });
    const [[url, get] = [], [, patch] = []] = asked;
    expect(url).toBe('http://x.example/api/v1/messages?anchor=newest&narrow=%5B%5B%22is%22%2C%22dm%22%5D%5D');
    expect(get?.headers).toEqual({
      Authorization: `Basic ${Buffer.from('ü@example.com:key').toString('base64')}`,
    });
    expect(patch?.body).toEqual(new URLSearchParams('content=a+b&flag=true'));
  });

  test('a refused request fails with the code, the text and the fields of the reply', async () => {
    const body = { result: 'error', code: 'BAD_NARROW', msg: 'no', narrow: 1 };
    const failure = await answering([400, body])
      .connection.get('/messages')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RequestFailed);
    expect(failure).toMatchObject({ status: 400, code: 'BAD_NARROW', message: 'no', fields: body });
    expect([isTransient(failure), isSignedOut(failure)]).toEqual([false, false]);
  });

  test('is tried again after failures of the moment if it only reads', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { connection, asked } = answering(
      new TypeError('fetch failed'),
      [503, 'not ours'],
      [429, { code: 'RATE_LIMIT_HIT', 'retry-after': 0.001 }],
      [200, { ...success, id: 3 }],
    );
    expect(await connection.get('/users/me')).toMatchObject({ id: 3 });
    expect(asked).toHaveLength(4);
    vi.restoreAllMocks();
  });

  test('is never tried again by itself if it writes', async () => {
    const { connection, asked } = answering(new TypeError('fetch failed'));
    await expect(connection.post('/messages')).rejects.toBeInstanceOf(Unreachable);
    expect(asked).toHaveLength(1);
  });

  test('an aborted request ends with the reason of its signal', async () => {
    const { connection } = answering(new TypeError('aborted'));
    const signal = AbortSignal.abort('enough');
    await expect(connection.get('/messages', {}, { signal })).rejects.toBe('enough');
  });

  test('says how long the server asks to wait', async () => {
    const [{ connection: first }, { connection: second }] = [
      answering([429, { code: 'RATE_LIMIT_HIT', 'retry-after': 1.5 }]),
      answering([503, 'away', { 'retry-after': '2' }]),
    ];
    await expect(first.post('/x')).rejects.toMatchObject({ retryAfterMs: 1500 });
    await expect(second.post('/x')).rejects.toMatchObject({ retryAfterMs: 2000, code: '' });
  });
});
