import { readFile, readdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { makeTiedFolder } from '@parley/infra';

import type { Recording } from '../support/recording.ts';
import { type Cell, type Passed, listCells } from './cells.ts';
import { reportIn, runTests } from './run-tests.ts';

const usage = `npm run contract -- [--all] [--from DIR]

Runs the tests, records what they ask, are answered and hear, and holds it against the contract: every section, each
of its parameters, errors and events, and its rules and limits, with the route that serves it and a test that shows it.
Exits with 1 if a cell is empty.

  --all        prints every cell, not the number by section
  --from DIR   runs no tests, and reads what a run with CONTRACT_RECORDINGS=DIR has left there: recordings, and the
               runner's JSON report as report.json`;

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    from: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}

if (values.from === undefined) {
  const folder = await makeTiedFolder('parley-contract-');
  try {
    await runTests(folder);
    await compare(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
} else await compare(values.from);

async function compare(folder: string): Promise<void> {
  const cells = listCells(await readRecordings(folder), await readPassed(folder));
  const empty = cells.filter(isEmpty);
  process.stdout.write(`${values.all ? listAll(cells) : listParts(cells)}\n`);
  for (const { part, says, route } of empty) {
    process.stdout.write(`EMPTY  ${part}: ${says} has ${route === null ? 'no route' : 'no test'}.\n`);
  }
  process.exitCode = empty.length > 0 ? 1 : 0;
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

interface Report {
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
}

async function readPassed(folder: string): Promise<Passed> {
  // Safe: the runner's own format.
  const { testResults } = JSON.parse(await readFile(reportIn(folder), 'utf8')) as Report;
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
  const full = cells.filter((cell) => !isEmpty(cell)).length;
  return [...rows, '', `${full} of ${cells.length} cells have a route and a test.`].join('\n');
}

function listAll(cells: readonly Cell[]): string {
  return cells
    .map(({ part, says, route, test }) =>
      [part.padEnd(46), says.padEnd(42), route === null ? '-' : 'route', test ?? '-'].join(' '),
    )
    .join('\n');
}
