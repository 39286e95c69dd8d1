import { execFile, spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { makeTiedFolder } from '@parley/infra';

import { startDemoCluster } from '../support/demo-cluster.ts';

const run = promisify(execFile);
const say = (line: string) => process.stdout.write(`${line}\n`);
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
  const folder = join(root, '.parley/clients');
  await mkdir(folder, { recursive: true });
  await run('python3', ['-m', 'venv', folder]);
  const python = join(folder, 'bin/python');
  const requirements = join(sources, 'requirements.txt');
  await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  return python;
}

const python = await findPython();
if (python === null) {
  say('There is no Python 3 with venv here, so the Python client was not tried.');
  process.exit(0);
}

const folder = await makeTiedFolder('parley-clients-');
try {
  await using demos = await startDemoCluster();
  const site = demos.cluster.baseUrl;
  const config = {
    site,
    folder,
    owner: demos.demo('Olivia Owner'),
    alice: demos.demo('Alice Member'),
    carol: demos.demo('Carol Member'),
    bot: demos.demo('Echo'),
  };
  const program = spawn(python, [join(sources, 'clients.py')], {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  program.stdin.end(JSON.stringify(config));
  process.exitCode = await new Promise<number>((resolve) => {
    program.on('exit', (code) => resolve(code ?? 1));
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
