import { refusalSentences } from '@parley/protocol';
import { expect, test } from 'vitest';

import { catalogueTexts } from './catalogue.ts';

/** A text without how its numbers are written, and with one form of its plurals. */
const plain = (text: string) =>
  text
    .replace(/\{(\w+), plural, .*other \{([^{}]*)\}\}/, (_, name: string, other: string) =>
      other.replace('#', `{${name}}`),
    )
    .replace(/\{(\w+), number\}/g, '{$1}');

const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

test('the web client says of each refused archive what the server says in English', () => {
  const texts = catalogueTexts('services/web/src/strings');
  const ofRefusals = [...texts].filter(([key]) => key.startsWith('refusal.'));
  expect(ofRefusals.length).toBeGreaterThan(60);
  expect(Object.fromEntries(ofRefusals.map(([key, { text }]) => [key.slice(8), plain(text)]))).toEqual(
    refusalSentences,
  );
  const misnamed = ofRefusals.filter(
    ([, { text, names }]) => (names ?? []).join() !== namesIn(plain(text)).join(),
  );
  expect(misnamed).toEqual([]);
});
