import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { testNothingLeftOut } from '../support/by-day.ts';
import { isNight, seed } from '../support/seed.ts';
import { filesOfOtherDays, turns } from '../support/turns.ts';
import { filesIn, root } from './source-files.ts';

const own = 'test/laws/by-night.test.ts';

/** Parts of the paths of what the night runs. */
function wordsOfNight(): string[] {
  const suites = readFileSync(join(root, 'test/suites/main.ts'), 'utf8');
  const [, args = ''] = /'test:night': \{[^]*?args: \[([^\]]*)\]/.exec(suites) ?? [];
  const words = [...args.matchAll(/'([^']+)'/g)].map(([, word = '']) => word);
  return args.includes('...turns.flat()') ? [...words, ...turns.flat()] : words;
}

test('every test that has a long form is run by npm run test:night', () => {
  const words = wordsOfNight();
  const long = filesIn('test')
    .filter(
      ({ path, text }) =>
        !path.startsWith('test/support/') && path !== own && /\b(?:isNight|isOfToday)\b/.test(text),
    )
    .map(({ path }) => path);
  expect(long.length).toBeGreaterThan(5);
  expect(long.filter((path) => !words.some((word) => path.includes(word)))).toEqual([]);
});

const byTurns = turns.flat().map((path) => `${path}.test.ts`);

test('every file that has its days is there, once, and is run by npm run test:night', () => {
  const words = wordsOfNight();
  expect(byTurns.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(byTurns.filter((path, at) => byTurns.indexOf(path) < at)).toEqual([]);
  expect(byTurns.filter((path) => !words.some((word) => path.includes(word)))).toEqual([]);
});

test('a few days in a row have every file', () => {
  const others = turns.map((_, day) => filesOfOtherDays(seed + day));
  expect(byTurns.filter((path) => others.every((left) => left.includes(path)))).toEqual([]);
});

testNothingLeftOut('files that have their days', {
  left: isNight ? 0 : filesOfOtherDays(seed).length,
  of: byTurns.length,
});
