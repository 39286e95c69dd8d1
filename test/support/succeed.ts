import { expect } from 'vitest';

import type { Json } from './http.ts';

/** What is answered, which has to be a success. */
export async function succeed(reply: Promise<Json>): Promise<Json> {
  const body = await reply;
  expect(body).toMatchObject({ result: 'success' });
  return body;
}
