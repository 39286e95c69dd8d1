import { expect, test } from 'vitest';

import { listCells } from '../contract/cells.ts';

/** The tests that show it are looked for by `npm run contract`. */
test('whatever the contract says of an endpoint is declared', () => {
  const cells = listCells([], new Map());
  expect(cells.length).toBeGreaterThan(200);
  const undeclared = cells.filter(({ route }) => route === null);
  expect(undeclared.map(({ part, says }) => `${part}: ${says}`)).toEqual([]);
});
