import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, test } from 'vitest';

import { eventually } from '../testing/eventually.ts';
import { Silence } from './silence.ts';

/** A process that writes a line, and then does what the program says. */
async function running(program: string) {
  const child = spawn(process.execPath, ['-e', `console.log(1); ${program}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return { pid: child.pid, child, [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

test('a process that sleeps hangs when three further checks are not answered', async () => {
  using sleeping = await running('setInterval(() => {}, 1e9)');
  let silence = new Silence(sleeping.pid);
  // What it does at its start may still go on.
  await eventually(() => {
    silence = new Silence(sleeping.pid);
    return !silence.goesOn() && !silence.goesOn() && silence.goesOn();
  });
  expect(silence.checks).toBe(4);
});

test('nothing is known of a process while whoever checks was held up itself', async () => {
  using sleeping = await running('setInterval(() => {}, 1e9)');
  sleeping.child.kill('SIGSTOP');
  const silence = new Silence(sleeping.pid);
  for (let check = 0; check < 200; check += 1) expect(silence.goesOn(true)).toBe(false);
  expect(silence.checks).toBe(1);
});

test('a process that works hangs after seconds of processor time, unless whoever checks was held up', async () => {
  using looping = await running('for (;;);');
  // The unit of accounts of processor time.
  const silence = new Silence(looping.pid, 0.01);
  const ofHeldUp = new Silence(looping.pid, 0.01);
  let checks = 0;
  await eventually(() => {
    checks += 1;
    expect(ofHeldUp.goesOn(true)).toBe(false);
    return silence.goesOn();
  });
  // The minute of those that spend nothing is not over.
  expect(checks).toBeLessThan(119);
});

test('a process that works has time, however many checks are not answered', async () => {
  using looping = await running('for (;;);');
  const silence = new Silence(looping.pid);
  for (let check = 0; check < 100; check += 1) expect(silence.goesOn()).toBe(false);
  expect(silence.checks).toBe(101);
});
