import fc from 'fast-check';
import { expect, test } from 'vitest';

import { type KeyQuery, allOf, anyOf, asTsquery, conjunctsOf } from './key-query.ts';

const keys = ['a', 'b', 'c', 'd'];

function holds(query: KeyQuery, has: ReadonlySet<string>): boolean {
  if (typeof query === 'string') return has.has(query);
  if ('none' in query) return !query.none.some((key) => has.has(key));
  return 'all' in query
    ? query.all.every((one) => holds(one, has))
    : query.any.some((one) => holds(one, has));
}

const { query: anyQuery } = fc.letrec<{ query: KeyQuery }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...keys),
    fc.subarray(keys, { minLength: 1 }).map((none) => ({ none })),
    fc.array(tie('query'), { minLength: 1, maxLength: 3 }).map(allOf),
    fc.array(tie('query'), { minLength: 1, maxLength: 3 }).map(anyOf),
  ),
}));

test('conjuncts of a query hold together where the query does, and none of them where there are no keys, unless it does', () => {
  fc.assert(
    fc.property(anyQuery, fc.subarray(keys), (query, some) => {
      const has = new Set(some);
      const conjuncts = conjunctsOf(query);
      expect(conjuncts.every((one) => holds(one, has))).toBe(holds(query, has));
      const nothing = new Set<string>();
      expect(conjuncts.length === 1 || !conjuncts.some((one) => holds(one, nothing))).toBe(true);
    }),
  );
});

test('keys that must not be there stay beside the last that have to', () => {
  const query = allOf([
    'word',
    anyOf([{ none: ['~c1', '~d'] }, allOf(['~d', '~s7'])]),
    allOf(['other', anyOf(['~a1', '~a2'])]),
  ]);
  expect(conjunctsOf(query).map(asTsquery)).toEqual([
    "'word'",
    "'other'",
    "(('~a1' | '~a2') & (!('~c1' | '~d') | ('~d' & '~s7')))",
  ]);
});
