import { join } from 'node:path';

import { execa } from 'execa';

import { unpackDebian } from './machine/debian-package.ts';
import { findProgram } from './machine/find-program.ts';
import { repoRoot } from './machine/paths.ts';
import { sayOnStdout as say } from './machine/say.ts';

/** Prometheus' tool that checks rules: an installed one, or Debian's, unpacked. */
async function findPromtool(): Promise<string> {
  return (
    findProgram('promtool') ?? join(await unpackDebian('prometheus', ['prometheus'], say), 'usr/bin/promtool')
  );
}

const folder = join(repoRoot(), 'infra/monitoring');

let promtool: string;
try {
  promtool = await findPromtool();
} catch (error) {
  say(
    `The rules were not checked: promtool is missing (${error instanceof Error ? error.message : String(error)}).`,
  );
  process.exit(2);
}
for (const args of [
  ['check', 'rules', '--lint-fatal', 'rules.yml'],
  ['test', 'rules', 'rules.test.yml'],
]) {
  const { all, exitCode } = await execa(promtool, args, { cwd: folder, all: true, reject: false });
  say(`promtool ${args.join(' ')}\n${all}`);
  if (exitCode !== 0) process.exit(1);
}
