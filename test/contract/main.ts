import { readFile, readdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { conclude, makeTiedFolder, readArguments } from '@parley/infra';

import { readReport } from '../suites/run-vitest.ts';
import type { Recording } from '../support/recording.ts';
import { type Cell, type Passed, listCells } from './cells.ts';
import { findFaults, listRelations } from './relations.ts';
import { runRelations, runTests } from './run-tests.ts';

const usage = `npm run contract -- [--all | --relations] [--from DIR] [--json]

Runs the tests, records what they ask, are answered and hear, and holds it against the contract: every section, each
of its parameters, errors and events, and its rules and limits, with the route that serves it and a test that shows it.
Exits with 1 if a cell is empty.

  --all        prints every cell, not the number by section
  --relations  runs the tests of what one thing means for another instead (an edit for an upload, an absent capability for
               an event, a limit for what is just beyond), and prints each with its section and whether it holds. Exits
               with 1 if one does not, or a section has none
  --from DIR   runs no tests, and reads what a run with CONTRACT_RECORDINGS=DIR has left there: recordings, and the
               runner's JSON report as report.json`;

const { values } = readArguments(usage, {
  all: { type: 'boolean', default: false },
  relations: { type: 'boolean', default: false },
  from: { type: 'string' },
});

const { run, show } = values.relations
  ? { run: runRelations, show: showRelations }
  : { run: runTests, show: compare };
if (values.from === undefined) {
  const folder = await makeTiedFolder('parley-contract-');
  try {
    await run(folder);
    await show(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
} else await show(values.from);

async function showRelations(folder: string): Promise<void> {
  const relations = listRelations(await readReport(folder));
  const faults = findFaults(relations);
  const holding = relations.filter(({ holds }) => holds).length;
  conclude(values.json, {
    holds: faults.length === 0,
    result: `${holding} of ${relations.length} relations that the contract states hold.`,
    report: { relations, faults },
    text: [
      ...relations.map(
        ({ part, says, holds }) => `${holds ? 'holds ' : 'BROKEN'}  ${part.padEnd(52)} ${says}`,
      ),
      ...faults,
    ].join('\n'),
  });
}

async function compare(folder: string): Promise<void> {
  const cells = listCells(await readRecordings(folder), await readPassed(folder));
  const empty = cells.filter(isEmpty);
  const full = cells.length - empty.length;
  conclude(values.json, {
    holds: empty.length === 0 && full > 0,
    result: `${full} of ${cells.length} statements of the contract have a route and a test that passes.`,
    report: { cells: cells.length, empty },
    text: [
      values.all ? listAll(cells) : listParts(cells),
      ...empty.map(
        ({ part, says, route }) => `EMPTY  ${part}: ${says} has ${route === null ? 'no route' : 'no test'}.`,
      ),
    ].join('\n'),
  });
}

async function readRecordings(from: string): Promise<Recording[]> {
  const names = (await readdir(from)).filter((name) => name.endsWith('.jsonl'));
  const texts = await Promise.all(names.map((name) => readFile(join(from, name), 'utf8')));
  return texts.flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      // Safe: the tests wrote them.
      .map((line) => JSON.parse(line) as Recording),
  );
}

async function readPassed(folder: string): Promise<Passed> {
  const { testResults } = await readReport(folder);
  return new Map(
    testResults.map(({ name, assertionResults }) => [
      relative(process.cwd(), name),
      assertionResults.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName),
    ]),
  );
}

function isEmpty({ route, test }: Cell): boolean {
  return route === null || test === null;
}

function listParts(cells: readonly Cell[]): string {
  const parts = [...new Set(cells.map(({ part }) => part))];
  const rows = parts.map((part) => {
    const own = cells.filter((cell) => cell.part === part);
    const full = own.filter((cell) => !isEmpty(cell)).length;
    return `${part.padEnd(52)} ${`${full} of ${own.length}`.padStart(9)}`;
  });
  return rows.join('\n');
}

function listAll(cells: readonly Cell[]): string {
  return cells
    .map(({ part, says, route, test }) =>
      [part.padEnd(46), says.padEnd(42), route === null ? '-' : 'route', test ?? '-'].join(' '),
    )
    .join('\n');
}
