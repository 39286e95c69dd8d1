import { spawn } from 'node:child_process';

import { afterEach, expect, test } from 'vitest';

import { eventually } from '../testing/eventually.ts';
import { isAlive } from '../testing/is-alive.ts';
import { Supervised } from './supervise.ts';

const said: string[] = [];
afterEach(() => void (said.length = 0));

function supervise(script: string, ready: () => Promise<unknown> = async () => {}, readyMsMax = 10_000) {
  const start = () => spawn('/bin/sh', ['-c', script], { stdio: 'ignore', detached: true });
  const program = { name: 'worker-1', spawn: start, ready, readyMsMax, stopSignal: 'SIGTERM' as const };
  return new Supervised(program, (line) => void said.push(line));
}

test('a program that keeps failing is tried again and again, until it is stopped', async () => {
  const program = supervise('exit 7');
  await program.start();
  await eventually(() => said.length >= 3);
  await program.stop();

  expect(said[0]).toMatch(/^worker-1 \(pid \d+\) ended with exit code 7; restarting as pid \d+$/);
  expect(program.pid).toBeUndefined();
});

test('a program that is not ready in time has not started, and is gone', async () => {
  let pid = 0;
  const program = supervise('sleep 600', () => new Promise(() => {}), 50);
  program.onChange(() => (pid = program.pid ?? pid));

  await expect(program.start()).rejects.toThrow('worker-1 was not ready within 0.05 s');
  expect(isAlive(pid)).toBe(false);
  expect(program.isWanted).toBe(false);
});

test('what a stopped program has started ends with it', async () => {
  const program = supervise('sleep 600 & sleep 600; wait');
  await program.start();
  const group = Number(program.pid);
  await program.stop();
  await eventually(() => !isAlive(-group));
});
