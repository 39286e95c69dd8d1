import { expect, test } from 'vitest';

import { realm, say, subscribe } from '../../../support/index.ts';
import { find } from '../newsroom.ts';
import { judged } from './judged/index.ts';

/** The share of what is expected that a page has to have, and of what it has that has to be expected. */
const least = { recall: 0.95, precision: 0.95 };

const shareOf = (some: readonly number[], all: readonly number[]) =>
  all.length === 0 ? 1 : some.filter((one) => all.includes(one)).length / all.length;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test.each(judged)('a search in $language finds what somebody expects', async ({ messages, queries }) => {
  const { alice, bob } = await realm();
  await subscribe(alice, 'news', [alice, bob]);
  const ids: number[] = [];
  for (const message of messages) ids.push(await say(bob, 'news', 'chat', message));
  const answers: {
    query: string;
    expected: readonly number[];
    found: number[];
    recall: number;
    precision: number;
  }[] = [];
  for (const [query, expected] of queries) {
    const found = (await find(alice, ['search', query])).map((id) => ids.indexOf(id));
    answers.push({
      query,
      expected,
      found,
      recall: shareOf(found, expected),
      precision: shareOf(expected, found),
    });
  }
  const wrong = answers.filter(({ recall, precision }) => recall < 1 || precision < 1);
  const told = JSON.stringify(wrong, null, 2);
  expect(mean(answers.map(({ recall }) => recall)), told).toBeGreaterThanOrEqual(least.recall);
  expect(mean(answers.map(({ precision }) => precision)), told).toBeGreaterThanOrEqual(least.precision);
});
