import { execFile } from 'node:child_process';

import { cannotRun, conclude, readArguments, sayProgress as say } from '@parley/infra';

import { root } from '../versions/history.ts';
import { accepted } from './accepted.ts';
import { judge } from './judge.ts';

const usage = `npm run audit -- [--json]

Asks the registry for advisories about the packages in package-lock.json. Exits with 1 if there is one that
test/audit/accepted.ts does not accept, or no longer, and with 2 where the registry offers none.`;

const { values } = readArguments(usage, {});

/** What npm prints of the lock file. Its exit code says the same as the report. */
const askNpm = () =>
  new Promise<string>((resolve) => {
    const options = { cwd: root, maxBuffer: 64 * 1024 * 1024, timeout: 300_000 };
    execFile('npm', ['audit', '--json', '--package-lock-only'], options, (_, stdout) => resolve(stdout));
  });

say('Asking the registry …');
const judged = judge(await askNpm(), accepted, new Date().toISOString().slice(0, 10));
if ('notRun' in judged) cannotRun(values.json, judged.notRun);
else {
  const { packages, findings, unused } = judged;
  const lines = [
    ...findings.map((one) => `${one.package}  ${one.severity}  ${one.title}  ${one.url}`),
    ...unused.map(({ url }) => `is accepted, and there is no such advisory: ${url}`),
  ];
  conclude(values.json, {
    holds: findings.length === 0,
    result: `${packages} packages, ${findings.length} advisories, ${judged.accepted.length} accepted.`,
    report: judged,
    text: lines.join('\n') || undefined,
  });
}
