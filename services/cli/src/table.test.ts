import { expect, test } from 'vitest';

import { table } from './table.ts';

test('a table has aligned columns, and what it shows does not control the terminal', () => {
  const text = table(
    ['name', 'people'],
    [
      ['Acme', 3],
      ['\u001B[31mred\u202E\nline', null],
    ],
  );
  expect(text.split('\n')).toEqual([
    'NAME            PEOPLE',
    'Acme            3',
    '\uFFFD[31mred\uFFFD\uFFFDline  –',
  ]);
});
