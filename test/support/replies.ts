import { expect } from 'vitest';

import type { Json } from './http.ts';

/** What is answered, which has to be a success. */
export async function succeed(reply: Promise<Json>): Promise<Json> {
  const body = await reply;
  expect(body, JSON.stringify(body).slice(0, 500)).toMatchObject({ result: 'success' });
  return body;
}

/** A success that says nothing more. */
export const done = { result: 'success', msg: '' };

export const refused = (msg: string, code = 'BAD_REQUEST') => ({ result: 'error', code, msg });

/** `ok`, or why not: in words, or by the code where it says more than that the request was bad. */
export const outcomeOf = ({ result, code, msg }: Json): string =>
  result === 'success' ? 'ok' : code === 'BAD_REQUEST' ? msg : code;
