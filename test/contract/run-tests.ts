import { runVitest } from '../suites/run-vitest.ts';
import { relationsFolder } from './relations.ts';

/** Runs the tests, which leave in the folder what they asked and were answered. Those that fail show themselves in the suite. */
export async function runTests(recordings: string): Promise<void> {
  await runVitest(recordings, ['--project', 'api', '--project', 'unit'], { CONTRACT_RECORDINGS: recordings });
}

/** Runs the tests that show relations. */
export async function runRelations(folder: string): Promise<void> {
  await runVitest(folder, ['--project', 'api', relationsFolder]);
}
