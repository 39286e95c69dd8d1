import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Where a run leaves which tests passed. */
export const reportIn = (folder: string): string => join(folder, 'report.json');

/** Runs the tests, which leave in the folder what they asked and were answered. Those that fail show themselves in the suite. */
export async function runTests(recordings: string): Promise<void> {
  const projects = ['--project', 'api', '--project', 'unit'];
  const reporters = ['--reporter', 'dot', '--reporter', 'json', '--outputFile.json', reportIn(recordings)];
  const child = spawn('npx', ['vitest', 'run', ...projects, ...reporters], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CONTRACT_RECORDINGS: recordings },
  });
  await new Promise((resolve) => child.on('exit', resolve));
}
