import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { filesIn, root } from './source-files.ts';

const own = 'test/laws/by-night.test.ts';

test('every test that has a long form is run by npm run test:night', () => {
  const suites = readFileSync(join(root, 'test/suites/main.ts'), 'utf8');
  const [, args = ''] = /'test:night': \{[^]*?args: \[([^\]]*)\]/.exec(suites) ?? [];
  const words = [...args.matchAll(/'([^']+)'/g)].map(([, word = '']) => word);
  const long = filesIn('test')
    .filter(
      ({ path, text }) =>
        !path.startsWith('test/support/') && path !== own && /\b(?:isNight|isOfToday)\b/.test(text),
    )
    .map(({ path }) => path);
  expect(long.length).toBeGreaterThan(5);
  expect(long.filter((path) => !words.some((word) => path.includes(word)))).toEqual([]);
});
