// Prints what a run of the tests skipped, and as its last line how many tests passed and failed. A file that could not
// be loaded and a hook that failed have no failed test of their own: each such file counts as one, and so does a run
// that ended with another exit code than 0 for any other reason, such as an error outside of all tests.
import { readFileSync } from 'node:fs';

const [, , report, exitCode] = process.argv;
const { testResults, numPassedTests } = JSON.parse(readFileSync(report, 'utf8'));

let failed = 0;
const skipped = [];
for (const { name, status, assertionResults } of testResults) {
  const failures = assertionResults.filter((test) => test.status === 'failed').length;
  failed += status === 'failed' ? Math.max(failures, 1) : failures;
  for (const test of assertionResults) {
    if (!['passed', 'failed'].includes(test.status))
      skipped.push(`${name}: ${test.fullName} (${test.status})`);
  }
}
if (exitCode !== '0' && failed === 0) failed = 1;

if (skipped.length > 0) process.stdout.write(`${skipped.length} not run:\n${skipped.join('\n')}\n`);
process.stdout.write(`${numPassedTests} passed, ${failed} failed\n`);
