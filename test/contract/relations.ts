import { relative } from 'node:path';

import type { Report } from '../suites/run-vitest.ts';
import { sections } from './sections.ts';

/** Where the tests stand that show relations. */
export const relationsFolder = 'test/contract/relations';

/** The parts of the contract that say something about more than one operation. */
const parts = [
  'Conventions',
  'Resources and their fields',
  'States and transitions',
  'Authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
];

/** The parts of the contract by their names, in its order: outermost groups of the tests are named after them. */
export const partsInOrder: readonly string[] = [
  ...parts.slice(0, 3),
  ...sections.map(({ number, method, path }) => `${number} ${method} ${path}`),
  ...parts.slice(3),
];

/** What follows from one thing for another, as a sentence, and whether its test found it so. */
export interface Relation {
  part: string;
  says: string;
  holds: boolean;
}

/** The relations of a run of tests, in the order of the contract; those of no part of it come last. */
export function listRelations({ testResults }: Report, root = process.cwd()): Relation[] {
  const relations = testResults
    .filter(({ name }) => relative(root, name).startsWith(`${relationsFolder}/`))
    .flatMap(({ assertionResults }) => assertionResults)
    .map(({ ancestorTitles: [part = ''], title, status }) => ({
      part,
      says: title,
      holds: status === 'passed',
    }));
  const placeOf = ({ part }: Relation) => {
    const at = partsInOrder.indexOf(part);
    return at < 0 ? partsInOrder.length : at;
  };
  return relations.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** What is wrong with a list: relations that do not hold or are in no part of the contract, and parts without any. */
export function findFaults(relations: readonly Relation[]): string[] {
  const told = new Set(relations.map(({ part }) => part));
  return [
    ...relations.filter(({ holds }) => !holds).map(({ part, says }) => `BROKEN  ${part}: ${says}`),
    ...[...told]
      .filter((part) => !partsInOrder.includes(part))
      .map((part) => `NO PART  ${part} is no part of the contract.`),
    ...partsInOrder.filter((part) => !told.has(part)).map((part) => `EMPTY  ${part} has no relation.`),
  ];
}
