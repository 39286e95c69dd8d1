import { expect, test } from 'vitest';

import { placeIn } from './places-in.ts';

const term = (operator: string, operand: string) => ({ operator, operand, negated: false });

test('where one begins to read is no condition', () => {
  const lab = term('channel', '12-lab');
  expect(placeIn([term('near', '7'), lab, term('near', '905')])).toEqual({
    terms: [lab],
    near: 905,
    day: null,
  });
  expect(placeIn([lab, term('date', '2026-03-09')])).toEqual({ terms: [lab], near: null, day: '2026-03-09' });
  expect(placeIn([lab])).toEqual({ terms: [lab], near: null, day: null });
});
