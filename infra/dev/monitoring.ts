import { join } from 'node:path';

import { execa } from 'execa';

import { cannotRun, conclude } from './machine/conclude.ts';
import { unpackDebian } from './machine/debian-package.ts';
import { findProgram } from './machine/find-program.ts';
import { repoRoot } from './machine/paths.ts';
import { readArguments } from './machine/read-arguments.ts';
import { sayProgress as say } from './machine/say.ts';

/** Prometheus' tool that checks rules: an installed one, or Debian's, unpacked. */
async function findPromtool(): Promise<string> {
  return (
    findProgram('promtool') ?? join(await unpackDebian('prometheus', ['prometheus'], say), 'usr/bin/promtool')
  );
}

const usage = `npm run monitoring:check -- [--json]

Holds the alert rules and their tests (infra/monitoring) against Prometheus' promtool. Exits with 1 if it finds a
mistake, and with 2 where there is no promtool and none can be unpacked.`;

const { values } = readArguments(usage, {});
const folder = join(repoRoot(), 'infra/monitoring');

async function checkRules(promtool: string): Promise<string[]> {
  const failed: string[] = [];
  for (const args of [
    ['check', 'rules', '--lint-fatal', 'rules.yml'],
    ['test', 'rules', 'rules.test.yml'],
  ]) {
    const { all, exitCode } = await execa(promtool, args, { cwd: folder, all: true, reject: false });
    const command = `promtool ${args.join(' ')}`;
    say(`${command}\n${all}`);
    if (exitCode !== 0) failed.push(command);
  }
  return failed;
}

const promtool = await findPromtool().catch((error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error);
  cannotRun(values.json, `There is no promtool here, so the rules were not checked: ${reason}`);
});
if (promtool !== undefined) {
  const failed = await checkRules(promtool);
  conclude(values.json, {
    holds: failed.length === 0,
    result:
      failed.length === 0
        ? 'promtool finds no mistake in the alert rules, and their tests pass.'
        : `promtool finds mistakes: ${failed.join(', ')}.`,
  });
}
