import { readFile, writeFile } from 'node:fs/promises';

import { conclude, readArguments, refuseArguments, sayProgress as say } from '@parley/infra';

import { withFigures } from './front-page.ts';
import { commandOf, proofs } from './proofs.ts';
import { runNight } from './run-night.ts';

const usage = `npm run night -- [--only NAME,… | --list] [--strict] [--write] [--json]

Runs every command that proves something once, small, one after the other, and ends with a table of claims, commands,
times and last lines. Exits with 1 if a claim does not hold or a command takes longer than it may. A command that cannot
run here, for want of Go, Python or a browser, is shown as not tried.

  --only    runs these
  --list    lists the names, claims, commands and limits
  --strict  exits with 1 if a command was not tried
  --write   writes the last lines of what holds into the table of README.md`;

const { values } = readArguments(usage, {
  only: { type: 'string', multiple: true, default: [] },
  list: { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
});
const names = values.only.flatMap((one) => one.split(','));
const unknown = names.find((name) => !proofs.some((proof) => proof.name === name));
if (unknown !== undefined) refuseArguments(usage, `There is no proof ${unknown}.`);
const chosen = names.length > 0 ? proofs.filter(({ name }) => names.includes(name)) : proofs;

if (values.list) {
  conclude(values.json, {
    holds: true,
    result: `${chosen.length} commands, ${chosen.reduce((sum, { minutesMax }) => sum + minutesMax, 0)} minutes at most.`,
    report: { proofs: chosen },
    text: chosen
      .map((proof) => `${proof.name.padEnd(18)} ${proof.claim}\n${' '.repeat(19)}${commandOf(proof)}`)
      .join('\n'),
  });
} else {
  const { outcomes, conclusion } = await runNight({
    proofs: chosen,
    isStrict: values.strict,
    argvOf: ({ script, args = [] }) => ['npm', 'run', '--silent', script, '--', ...args, '--json'],
    say,
  });
  if (values.write) {
    const page = new URL('../../../README.md', import.meta.url);
    await writeFile(page, withFigures(await readFile(page, 'utf8'), outcomes));
    say('README.md has the figures.');
  }
  conclude(values.json, conclusion);
}
