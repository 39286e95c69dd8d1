import { expect, test } from 'vitest';

import { createLogger } from './logger.ts';

function logged(fields: object): string {
  let text = '';
  const destination = { write: (line: string) => (text += line) };
  createLogger({ role: 'test', level: 'info', destination }).info(fields, 'happened');
  return text;
}

test('credentials are cut out, alone and inside of what is logged', () => {
  const text = logged({ password: 'pa55', api_key: 'k3y', request: { authorization: 'Basic x3y' }, user: 7 });
  expect(text).not.toMatch(/pa55|k3y|x3y/);
  expect(JSON.parse(text)).toMatchObject({ role: 'test', user: 7, msg: 'happened' });
});

test('a failed query is logged by its cause, without its parameters', () => {
  const cause = new Error('duplicate key');
  const error = Object.assign(new Error('Failed query: insert … params: h4sh', { cause }), {
    query: 'insert into users values ($1)',
    params: ['h4sh'],
  });
  const text = logged({ err: error });
  expect(text).not.toContain('h4sh');
  expect(JSON.parse(text)).toMatchObject({
    err: { message: 'duplicate key', query: 'insert into users values ($1)' },
  });
});
