import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { execa } from 'execa';
import { expect, test } from 'vitest';

import { eventually } from '../testing/eventually.ts';
import { repoRoot } from './paths.ts';

const module = JSON.stringify(join(repoRoot(), 'infra/dist/dev/machine/signal-tree.js'));

const stateOf = async (pid: number) => (await execa('ps', ['-o', 'stat=', '-p', String(pid)])).stdout[0];

test('a server that hangs goes on when whoever had it hang is killed', async () => {
  const server = spawn('sleep', ['600'], { stdio: 'ignore' });
  const pid = server.pid ?? 0;
  try {
    const script = `
      import { hang } from ${module};
      await hang({ pid: ${pid} });
      console.log('hangs');
      process.stdin.resume();
    `;
    const breaker = execa(process.execPath, ['--input-type=module', '-e', script], { reject: false });
    await once(createInterface(breaker.stdout), 'line');
    expect(await stateOf(pid)).toBe('T');

    breaker.kill('SIGKILL');

    await eventually(async () => (await stateOf(pid)) === 'S');
  } finally {
    server.kill('SIGKILL');
  }
});
