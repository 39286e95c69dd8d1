import { createRequire } from 'node:module';

import { expect, test } from 'vitest';

import { knownNames } from './names.ts';

test('every language that is known by name has a grammar that exists, and names that no other has', () => {
  const { languages } = createRequire(import.meta.url)('prismjs/components.json') as { languages: object };
  const grammars = knownNames.flatMap(([, grammar]) => grammar ?? []);
  expect(grammars.filter((grammar) => !Object.hasOwn(languages, grammar))).toEqual([]);
  const written = knownNames.flatMap(([, , names]) => names.split(' '));
  expect(written.filter((name, at) => written.indexOf(name) !== at)).toEqual([]);
  expect(written.filter((name) => name !== name.toLowerCase() || name === '')).toEqual([]);
});
