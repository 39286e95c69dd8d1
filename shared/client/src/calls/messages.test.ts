import { expect, test } from 'vitest';

import { connect } from '../connection/connect.ts';
import { setFlag } from './messages.ts';

test('many messages are marked in portions of at most 1000, each once and in their order', async () => {
  const portions: number[][] = [];
  const fetch = async (_: unknown, init: RequestInit = {}) => {
    const fields = init.body as URLSearchParams;
    expect([fields.get('op'), fields.get('flag')]).toEqual(['add', 'read']);
    portions.push(JSON.parse(fields.get('messages') ?? '') as number[]);
    return await Promise.resolve(Response.json({ result: 'success', msg: '' }));
  };
  const credentials = { email: 'ann@example.com', apiKey: 'key' };
  const connection = connect({ baseUrl: 'http://x.example', credentials, fetch });
  const ids = Array.from({ length: 2001 }, (_, at) => at + 1);
  await setFlag(connection, 'add', 'read', ids);
  expect(portions.map((portion) => portion.length)).toEqual([1000, 1000, 1]);
  expect(portions.flat()).toEqual(ids);
  await setFlag(connection, 'add', 'read', []);
  expect(portions).toHaveLength(3);
});
