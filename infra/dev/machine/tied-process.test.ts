import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { execa } from 'execa';
import { expect, test } from 'vitest';

import { eventually } from '../testing/eventually.ts';
import { isAlive } from '../testing/is-alive.ts';
import { repoRoot } from './paths.ts';

const module = JSON.stringify(join(repoRoot(), 'infra/dist/dev/machine/tied-process.js'));

test.each([
  ['with setpriv', `spawnTied('sleep', ['600'], { stdio: 'ignore', deathSignal: 'KILL' })`],
  ['without setpriv', `tieByPipe(spawn('sleep', ['600'], { stdio: 'ignore', detached: true }), 'KILL')`],
])('%s, a process ends when its parent is killed', async (_, start) => {
  const script = `
    import { spawn } from 'node:child_process';
    import { spawnTied, tieByPipe } from ${module};
    console.log((${start}).pid);
  `;
  const parent = execa(process.execPath, ['--input-type=module', '-e', script], { reject: false });
  const [pid] = await once(createInterface(parent.stdout), 'line');
  expect(isAlive(Number(pid))).toBe(true);

  parent.kill('SIGKILL');

  await eventually(() => !isAlive(Number(pid)));
});
