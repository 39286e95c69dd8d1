import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { conclude, makeTiedFolder, readArguments } from '@parley/infra';
import { z } from 'zod';

import { turns } from '../support/turns.ts';
import { readReport, runVitest } from './run-vitest.ts';

/** Tests that are a command of their own, because they prove something that takes longer than a suite may. */
const suites: Record<string, { about: string; args: readonly string[]; env: NodeJS.ProcessEnv }> = {
  histories: {
    about: `Plays random histories, in which everything happens at once and writers wait for random times, against the law
that a client which follows events ends where a fresh one starts: HISTORIES of them, or 5000.`,
    args: ['--project', 'api', 'test/events/following/together'],
    env: { HISTORIES: process.env['HISTORIES'] ?? '5000' },
  },
  replicas: {
    about: `Plays the same histories, HISTORIES of them or 500, on nodes that have a replica of Postgres which is late by
REPLICA_DELAY, or 500ms: clients start from it where it has what they need, whoever writes reads what they wrote, and pages
are what they are at the primary. It fails, too, if the replica served nothing.`,
    args: ['--project', 'api', 'test/events/following/together'],
    env: {
      HISTORIES: process.env['HISTORIES'] ?? '500',
      REPLICA_DELAY: process.env['REPLICA_DELAY'] ?? '500ms',
    },
  },
  examples: {
    about: 'Runs each of the examples as its header says, and talks to it.',
    args: ['--project', 'api', 'test/operations/examples'],
    env: {},
  },
  'test:night': {
    about:
      'Runs the long forms of the properties that the suite tries briefly by day, and all files that have their days.',
    args: [
      ...turns.flat(),
      'test/cluster',
      'test/events',
      'test/laws/access/',
      'test/laws/endpoints',
      'test/laws/forbidding',
      'test/laws/by-night',
      'test/laws/reading',
      'test/laws/search-engine.test.ts',
      'test/api/external/robust',
      'test/api/messages/read-state',
      'test/worker/archive-imports',
      'test/worker/converted-archives',
      'test/worker/hostile-archives',
      'test/worker/traffic',
      'test/worker/outgoing-webhooks/outages',
    ],
    env: { NIGHT: '1' },
  },
};

/** Says what share of the reads that a replica might serve it did serve. */
function describeReads(reads: Readonly<Record<string, number>>): string {
  const all = Object.values(reads).reduce((sum, count) => sum + count, 0);
  return `The replica served ${reads['served'] ?? 0} of ${all} reads, the primary the others.`;
}

const name = process.argv.splice(2, 1)[0] ?? '';
const suite = suites[name];
if (!suite) throw new Error(`There is no suite ${name}.`);

const usage = `npm run ${name} -- [--json]

${suite.about}
SEED chooses another seed than that of the day. Exits with 1 if a test fails.`;

const { values } = readArguments(usage, {});
const folder = await makeTiedFolder('parley-suite-');
try {
  const replicaReport = join(folder, 'replica.json');
  await runVitest(folder, suite.args, { ...suite.env, REPLICA_REPORT: replicaReport });
  const replicaReads = existsSync(replicaReport)
    ? z.record(z.string(), z.number()).parse(JSON.parse(await readFile(replicaReport, 'utf8')))
    : null;
  const { success, numPassedTests, numFailedTests, numFailedTestSuites } = await readReport(folder);
  conclude(values.json, {
    holds:
      success &&
      numPassedTests > 0 &&
      (suite.env['REPLICA_DELAY'] === undefined || (replicaReads?.['served'] ?? 0) > 0),
    result: `${suite.env['HISTORIES'] === undefined ? '' : `${suite.env['HISTORIES']} histories: `}${numPassedTests} tests passed, ${Math.max(numFailedTests, numFailedTestSuites)} failed.${replicaReads ? ` ${describeReads(replicaReads)}` : ''}`,
    report: {
      passed: numPassedTests,
      failed: numFailedTests,
      ...(replicaReads && { replica_reads: replicaReads }),
    },
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
