import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { spawnTied } from '@parley/infra';
import { z } from 'zod';

const Report = z.object({
  success: z.boolean(),
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numFailedTestSuites: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          fullName: z.string(),
          status: z.string(),
        }),
      ),
    }),
  ),
});
/** Vitest's own report, as far as commands read it. */
export type Report = z.infer<typeof Report>;

/** Reads the report that a run has left in a folder. */
export async function readReport(folder: string): Promise<Report> {
  return Report.parse(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')));
}

const vitest = new URL('vitest.mjs', import.meta.resolve('vitest/package.json')).pathname;

/**
 * Runs tests, and leaves the report in a folder. What they print goes to standard error, as progress. They end with the
 * process that runs them.
 */
export async function runVitest(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(folder, 'report.json')}`,
  ];
  const child = spawnTied(process.execPath, [vitest, 'run', ...args, ...reporters], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, ...env },
    deathSignal: 'TERM',
  });
  await new Promise((resolve) => child.on('exit', resolve));
}
