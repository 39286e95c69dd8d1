import { execFile, spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { cannotRun, conclude, makeTiedFolder, readArguments, sayProgress as say } from '@parley/infra';

import { startDemoCluster } from '../support/demo-cluster.ts';

const usage = `npm run clients -- [--json]

Runs the Python client, unmodified, against a demo cluster: calls every method of its class once, and talks to bots that
come with it, each a program of its own. Exits with 1 if one of them was answered otherwise than it expects, and with 2
where there is no Python.`;

const run = promisify(execFile);
/** The Python files are not compiled, so they are where the sources are. */
const root = fileURLToPath(new URL('../../../', import.meta.url));
const sources = join(root, 'test/clients');

/** The interpreter of an environment of its own, with the client in it; null where there is no Python. */
async function findPython(): Promise<string | null> {
  const hasPython = await run('python3', ['-m', 'venv', '--help']).then(
    () => true,
    () => false,
  );
  if (!hasPython) return null;
  say('Installing the Python client …');
  const folder = join(root, '.parley/clients');
  await mkdir(folder, { recursive: true });
  await run('python3', ['-m', 'venv', folder]);
  const python = join(folder, 'bin/python');
  const requirements = join(sources, 'requirements.txt');
  await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  return python;
}

interface Answered {
  methods: number;
  bots: number;
  failed: string[];
}

async function tryClient(python: string, folder: string): Promise<Answered> {
  await using demos = await startDemoCluster();
  const config = {
    site: demos.cluster.baseUrl,
    folder,
    owner: demos.demo('Olivia Owner'),
    alice: demos.demo('Alice Member'),
    carol: demos.demo('Carol Member'),
    bot: demos.demo('Echo'),
  };
  const program = spawn(python, [join(sources, 'clients.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  program.stdin.end(JSON.stringify(config));
  // Safe: the program writes it, or nothing.
  return JSON.parse(
    (await text(program.stdout)) || '{"methods":0,"bots":0,"failed":["It ended early."]}',
  ) as Answered;
}

const { values } = readArguments(usage, {});
const python = await findPython();
if (python === null) {
  cannotRun(values.json, 'There is no Python 3 with venv here, so the Python client was not tried.');
  process.exit();
}
const folder = await makeTiedFolder('parley-clients-');
try {
  const answered = await tryClient(python, folder);
  const { methods, bots, failed } = answered;
  for (const failure of failed) say(`FAILED ${failure}`);
  conclude(values.json, {
    holds: failed.length === 0,
    result: `${methods} methods of the Python client and ${bots} bots: ${failed.length} failed.`,
    report: answered,
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
