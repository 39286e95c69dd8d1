import * as model from '@parley/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { getWorld } from '../../../support/index.ts';
import { judged } from './judged/index.ts';

const known = judged.flatMap(({ messages: texts, queries }) => [
  ...texts,
  ...queries.map(([query]) => query),
]);

/** Letters and marks of the languages that are searched in, in any order. */
const letters = [...new Set([...known.join(''), ...'ßÆŒøŁđıЁةىςﬁＡｶﾞéÄñőȘ\u0301\u0308\u064B\u0640ǅ𝒜'])];
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom(...letters), maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(...letters.filter((letter) => /\p{L}|\s/u.test(letter))),
    maxLength: 40,
  }),
);

test('the server and the database fold texts alike, and find the same words in them', async () => {
  const { sql } = await getWorld();
  const all = [...known, ...fc.sample(texts, { numRuns: 1000, seed: 36 })];
  const rows = await sql<{ folded: string; words: string[] }[]>`
    select fold_text(t.text) as folded, tsvector_to_array(words_of_text(t.text)) as words
    from unnest(${all}::text[]) with ordinality t (text, n) order by n`;
  const differing = all.flatMap((text, index) => {
    const { folded = '', words = [] } = rows[index] ?? {};
    const missing = model.messages.indexedWordsOf(text).filter((word) => !words.includes(word));
    return model.messages.foldText(text) === folded && missing.length === 0
      ? []
      : [{ text, folded, ours: model.messages.foldText(text), missing }];
  });
  expect(differing).toEqual([]);
});
