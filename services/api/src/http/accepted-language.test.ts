import { Hono } from 'hono';
import { expect, test } from 'vitest';

import { acceptedLanguage } from './accepted-language.ts';

async function read(header: string | undefined): Promise<unknown> {
  const app = new Hono().get('/', (c) => c.json(acceptedLanguage(c)));
  const response = await app.request(
    '/',
    header === undefined ? {} : { headers: { 'Accept-Language': header } },
  );
  return await response.json();
}

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en;q=0.5, ar-EG;q=0.8', 'ar'],
  ['pl, fr;q=0.3', 'fr'],
  ['DE', 'de'],
  ['pl', null],
  ['*', null],
  ['de;q=0, es;q=0.1', 'es'],
  ['de;q=high', 'de'],
  [';;;,,,=;q=', null],
  ['constructor', null],
  ['"de', null],
  ['', null],
  [undefined, null],
])('the header Accept-Language: %s prefers %j', async (header, language) => {
  expect(await read(header)).toBe(language);
});

test.each([`${'de,'.repeat(333)}de`, 'x'.repeat(100_000)])(
  'a header Accept-Language that is too long prefers nothing: %#',
  async (header) => {
    expect(await read(header)).toBeNull();
  },
);
