import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createThreads } from './threads.ts';

let folder: string;
let filename: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'threads-'));
  filename = join(folder, 'task.mjs');
  const source = `export const run = (text) => {
    if (text === 'endless') for (;;);
    if (text === 'hungry') for (const all = []; ; ) all.push(Array(100_000).fill(all.length));
    if (text.startsWith('idle ')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(text.slice(5)));
    if (text === 'refused') throw new Error('refused');
    return text.toUpperCase();
  };`;
  await writeFile(filename, source);
});

afterAll(() => rm(folder, { recursive: true }));

/** The deadline is one of processor time, which passes slowly where the machine has much to do. */
const open = (deadlineMs = 50, waitMsMax = 3_600_000, chargeMsOf: (result: string) => number = () => 0) =>
  createThreads<string, string>({ filename, threadsMax: 1, deadlineMs, waitMsMax, chargeMsOf });

describe('a task', () => {
  test('a task that does not end is ended by its deadline, and the event loop goes on meanwhile', async () => {
    const threads = open();
    const order: string[] = [];
    const ending = expect(threads.run(1, 'endless')).rejects.toThrow(/abort/i);
    const noted = ending.then(() => order.push('ended'));
    await setImmediate();
    order.push('a turn of the event loop');
    await noted;
    expect(order).toEqual(['a turn of the event loop', 'ended']);
    expect(await threads.run(1, 'next')).toBe('NEXT');
  });

  test.runIf(process.platform === 'linux')('has its time though its thread gets no processor', async () => {
    expect(await open(100).run(1, 'idle 400')).toBe('IDLE 400');
  });

  test('is ended if its thread gets no processor for too long, and its author is told to come again', async () => {
    await expect(open(50, 500).run(1, 'idle 3600000')).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
  });

  test('a task that fails, fails for its author', async () => {
    await expect(open().run(1, 'refused')).rejects.toThrow('refused');
  });

  test('a task that takes more memory than a thread has is ended, and the next one runs', async () => {
    const threads = open(3_600_000);
    await expect(threads.run(1, 'hungry')).rejects.toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' });
    expect(await threads.run(2, 'next')).toBe('NEXT');
  });

  test('a task of somebody else does not wait for all the tasks of an author', async () => {
    const threads = open();
    const done: string[] = [];
    const slow = [1, 2].map(() =>
      threads.run(1, 'endless').catch(() => {
        done.push('slow');
      }),
    );
    await threads.run(2, 'quick');
    done.push('quick');
    await Promise.all(slow);
    expect(done).toEqual(['slow', 'quick', 'slow']);
  });

  test('a task of somebody who was charged for the result of another comes after those of others, though it took no time', async () => {
    const threads = open(50, 3_600_000, (result) => (result === 'FIRST' ? 3_600_000 : 0));
    const done: string[] = [];
    const run = async (authorId: number, task: string) => {
      await threads.run(authorId, task).catch(() => undefined);
      done.push(task);
    };
    await Promise.all([run(1, 'first'), run(1, 'second'), run(2, 'endless'), run(2, 'next')]);
    expect(done).toEqual(['first', 'endless', 'next', 'second']);
  });

  test('waits only where few others of its author do', async () => {
    const threads = open();
    const runs = Array.from({ length: 60 }, (_, index) => threads.run(1, `task ${index}`));
    const ends = Promise.allSettled(runs);
    await expect(runs.at(-1)).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
    const [first] = await ends;
    expect(first).toMatchObject({ status: 'fulfilled', value: 'TASK 0' });
  });
});
