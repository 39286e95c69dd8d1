import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { createRandom, shuffle } from '../chaos/random.ts';
import { cellsIn } from '../docs/pages.ts';
import { tableName, withFigures } from '../night/front-page.ts';
import { type Proof, commandOf, notProofs, proofs } from '../night/proofs.ts';
import { runNight } from '../night/run-night.ts';
import { holdTimers } from '../support/held-timers.ts';
import { isNight, seed } from '../support/seed.ts';
import { root } from './source-files.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const readme = read('README.md');
const provenByScripts = [...new Set(proofs.map(({ script }) => script))];

/** Scripts that are neither a proof nor named as none, and names that are no script. */
function strangers(names: readonly string[]): string[] {
  const known = [...provenByScripts, ...Object.keys(notProofs)];
  return [...names.filter((name) => !known.includes(name)), ...known.filter((name) => !names.includes(name))];
}

describe('the registry of the night', () => {
  test('has every npm script as a proof or as none', () => {
    expect(strangers(Object.keys(scripts))).toEqual([]);
    expect(provenByScripts.filter((script) => script in notProofs)).toEqual([]);
  });

  test('lacks a script that is new, and shows one that is gone', () => {
    const changed = Object.keys(scripts).filter((name) => name !== 'chaos');
    expect(strangers([...changed, 'proves-something'])).toEqual(['proves-something', 'chaos']);
  });

  test('gives each proof a name and a claim of its own', () => {
    for (const values of [proofs.map(({ name }) => name), proofs.map(({ claim }) => claim)]) {
      expect(values.filter((value, index) => values.indexOf(value) < index)).toEqual([]);
    }
  });

  test('has every claim of the README', () => {
    const shown = cellsIn(readme, tableName).map(([claim = '']) => claim);
    expect(shown.length).toBeGreaterThan(4);
    expect(shown.filter((claim) => !proofs.some((proof) => proof.claim === claim))).toEqual([]);
  });

  test('has every benchmark', async () => {
    const { stdout } = await help('bench');
    const [, list = ''] = /^Names: (.+)$/m.exec(stdout) ?? [];
    const run = proofs.filter(({ script }) => script === 'bench').flatMap(({ args = [] }) => args);
    expect(list.split(', ').length).toBeGreaterThan(8);
    expect(list.split(', ').filter((name) => !run.includes(name))).toEqual([]);
  });
});

/** Asks the compiled program of a script for its usage. */
function help(script: string): Promise<{ code: number; stdout: string }> {
  const [, words = ''] = /&& node (.+)$/.exec(scripts[script] ?? '') ?? [];
  return new Promise((resolve) => {
    execFile(process.execPath, [...words.split(' '), '--help'], { cwd: root }, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), stdout }),
    );
  });
}

/** Each starts a Node: by day one of them is asked, by night all. */
const asked = isNight ? provenByScripts : shuffle([...provenByScripts], createRandom(seed)).slice(0, 1);

test.each(asked)('npm run %s says with --help how it is used, and that it takes --json', async (script) => {
  const { code, stdout } = await help(script);
  expect(stdout.split('\n')[0]).toMatch(new RegExp(`^npm run ${script} -- `));
  expect(stdout).toContain('[--json]');
  expect(stdout).toMatch(/xits with\s1/);
  expect(code).toBe(0);
});

interface NightOfOptions {
  minutesMax?: number;
  isStrict?: boolean;
  /** Is told of each line of progress. */
  onSaid?: (line: string) => void;
}

/** A night over programs that are made up. */
async function nightOf(
  programs: Record<string, string>,
  { minutesMax = 5, isStrict = false, onSaid }: NightOfOptions = {},
) {
  const made = Object.keys(programs).map((name): Proof => ({
    name,
    claim: `Claim ${name}`,
    script: name,
    minutesMax,
  }));
  const said: string[] = [];
  const { outcomes, conclusion } = await runNight({
    proofs: made,
    isStrict,
    argvOf: ({ name }) => [process.execPath, '-e', programs[name] ?? ''],
    say(line) {
      said.push(line);
      onSaid?.(line);
    },
  });
  const verdicts = Object.fromEntries(outcomes.map(({ proof, verdict }) => [proof.name, verdict]));
  const lines = Object.fromEntries(outcomes.map(({ proof, line }) => [proof.name, line]));
  return { outcomes, conclusion, said, verdicts, lines };
}

const concludes = (conclusion: object, code: number) =>
  `console.error('half-way'); console.log('not json'); console.log(JSON.stringify(${JSON.stringify(conclusion)})); process.exitCode = ${code}`;
const fine = concludes({ holds: true, result: '7 events, 0 lost.' }, 0);

describe('a night', () => {
  test('is green when every claim holds, and shows progress and the last lines', async () => {
    const { conclusion, said } = await nightOf({ clients: fine, upgrade: fine });
    expect(conclusion).toMatchObject({ holds: true, result: '2 of 2 claims hold.' });
    expect(said).toContain('  half-way');
    expect(conclusion.text).toContain('Claim upgrade  npm run upgrade  7 events, 0 lost.');
  });

  test('is red with the name of the command that finds its claim broken', async () => {
    const broken = concludes({ holds: false, result: '7 events, 1 lost.' }, 1);
    const { conclusion, verdicts, lines } = await nightOf({ one: fine, chaos: broken });
    expect(conclusion).toMatchObject({ holds: false, result: '1 of 2 claims hold; RED: chaos.' });
    expect([verdicts['chaos'], lines['chaos']]).toEqual(['broken', '7 events, 1 lost.']);
  });

  test('is red with a command that crashes, concludes nothing, or exits otherwise than it concludes', async () => {
    const { conclusion, lines } = await nightOf({
      crash: `console.error('No room.'); process.exitCode = 1`,
      silent: '',
      liar: concludes({ holds: true, result: 'Fine.' }, 1),
      misused: 'process.exitCode = 2',
    });
    expect(conclusion.result).toBe('0 of 4 claims hold; RED: crash, silent, liar, misused.');
    expect(lines['crash']).toBe('It ended with 1 and no conclusion. No room.');
  });

  test('is red with a command that takes longer than it may, and ends all that this one has started', async () => {
    const started = `const { pid } = require('child_process').spawn('sleep', ['600']); console.error(String(pid)); setInterval(() => 0, 1000)`;
    const saysPid = (line: string) => /^ {2}\d+$/.test(line);
    // Its time is over as soon as it has started the other, however long that takes.
    const held = holdTimers(7 * 60_000, 7 * 60_000 + 1);
    const onSaid = (line: string) => {
      if (saysPid(line)) held.release();
    };
    const { conclusion, verdicts, said } = await nightOf({ hangs: started }, { minutesMax: 7, onSaid });
    expect(verdicts).toEqual({ hangs: 'timed out' });
    expect(conclusion).toMatchObject({ holds: false, result: '0 of 1 claims hold; RED: hangs.' });
    const pid = Number(said.find(saysPid));
    expect(pid).toBeGreaterThan(0);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('shows a command that cannot run here as not tried, and is red with it only if it is strict', async () => {
    const absent = concludes({ notRun: 'There is no Go here.' }, 2);
    const programs = { one: fine, k6: absent };
    const { conclusion, verdicts } = await nightOf(programs);
    expect(conclusion).toMatchObject({ holds: true, result: '1 of 2 claims hold; not tried here: k6.' });
    expect(verdicts['k6']).toBe('not run');
    expect((await nightOf(programs, { isStrict: true })).conclusion.holds).toBe(false);
  });
});

describe('the table of the README', () => {
  const page = `A page.\n\n<!-- night -->\n\n| claim | command | last figure |\n| --- | --- | --- |\n| Claim clients | \`old\` | 1 |\n| Claim two | \`old\` | 2 |\n\n<!-- /night -->\n\nIts end.\n`;

  test('takes the figures of what holds, keeps those of what did not run, and shows no other claim', async () => {
    const { outcomes } = await nightOf({ clients: fine, three: fine });
    const written = withFigures(page, outcomes);
    expect(cellsIn(written, tableName)).toEqual([
      ['Claim clients', '`npm run clients`', '7 events, 0 lost'],
      ['Claim two', '`old`', '2'],
    ]);
    expect(written).toMatch(/^A page\.\n[\s\S]*Its end\.\n$/);
  });

  test('keeps the figure of a claim that does not hold', async () => {
    const { outcomes } = await nightOf({ clients: concludes({ holds: false, result: '0.' }, 1) });
    expect(cellsIn(withFigures(page, outcomes), tableName)[0]).toEqual(['Claim clients', '`old`', '1']);
  });
});

test('the command of a proof is shown as a person enters it', () => {
  const proof = { name: 'a', claim: 'A', script: 'bench', minutesMax: 1 };
  expect(commandOf(proof)).toBe('npm run bench');
  expect(commandOf({ ...proof, args: ['fanout'] })).toBe('npm run bench -- fanout');
});
