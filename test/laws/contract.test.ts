import { expect, test } from 'vitest';

import { listCells } from '../contract/cells.ts';
import { findFaults, listRelations, partsInOrder, relationsFolder } from '../contract/relations.ts';

/** The tests that show it are looked for by `npm run contract`. */
test('whatever the contract says of an endpoint is declared', () => {
  const cells = listCells([], new Map());
  expect(cells.length).toBeGreaterThan(200);
  const undeclared = cells.filter(({ route }) => route === null);
  expect(undeclared.map(({ part, says }) => `${part}: ${says}`)).toEqual([]);
});

test('a relation that is broken, one of no part of the contract and a part without any are told', () => {
  const [first = '', ...others] = partsInOrder;
  const result = (part: string, status = 'passed') => ({
    ancestorTitles: [part, 'a group'],
    title: `about ${part}`,
    fullName: '',
    status,
  });
  const run = (assertionResults: ReturnType<typeof result>[]) => {
    const report = { success: true, numPassedTests: 0, numFailedTests: 0, numFailedTestSuites: 0 };
    const elsewhere = { name: '/root/test/api/drafts.test.ts', assertionResults: [result('4.99')] };
    const testResults = [{ name: `/root/${relationsFolder}/some.test.ts`, assertionResults }, elsewhere];
    return listRelations({ ...report, testResults }, '/root');
  };
  const whole = [...others, first].map((part) => result(part));
  expect(run(whole).map(({ part }) => part)).toEqual(partsInOrder);
  expect(findFaults(run(whole))).toEqual([]);
  expect(
    findFaults(run([...others.map((part) => result(part)), result('4.99'), result('Events', 'failed')])),
  ).toEqual([
    'BROKEN  Events: about Events',
    'NO PART  4.99 is no part of the contract.',
    `EMPTY  ${first} has no relation.`,
  ]);
});
