import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, onTestFinished, test, vi } from 'vitest';

import { smallSlackExport } from '../../import-archives/slack-small.ts';
import { writeLazyTar } from '../../import-archives/tar.ts';
import { jsonFiles, writeZip } from '../../import-archives/zip.ts';
import { largeZulipExport } from '../../import-archives/zulip-large.ts';
import { parley, parleyProgram, withProcesses } from '../../support/index.ts';

const folder = await mkdtemp(join(tmpdir(), 'parley-killed-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const temporary = join(folder, 'temporary');
await mkdir(temporary);

const large = join(folder, 'large.tar.gz');
await writeLazyTar(large, [...largeZulipExport(20_000)]);
const small = join(folder, 'small.zip');
await writeZip(small, jsonFiles(smallSlackExport()));

/** Others make folders there as well. */
const conversions = async () =>
  (await readdir(temporary)).filter((name) => name.startsWith('parley-convert-')).sort();

interface Conversion {
  process: ChildProcess;
  folder: string;
}

/** Begins a conversion, and stops it as soon as it has a folder with something of the archive in it. */
async function stoppedConversion(): Promise<Conversion> {
  const others = await conversions();
  const child = spawn(process.execPath, [parleyProgram, 'import', large, '--plan'], {
    env: { PATH: process.env['PATH'], TMPDIR: temporary },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const made = await vi.waitUntil(
    async () => {
      const name = (await conversions()).find((one) => !others.includes(one));
      const files = name === undefined ? [] : await readdir(join(temporary, name)).catch(() => []);
      return files.some((file) => !file.startsWith('.')) ? name : undefined;
    },
    { timeout: 60_000, interval: 5 },
  );
  child.kill('SIGSTOP');
  expect(child.exitCode).toBeNull();
  return { process: child, folder: made };
}

/** Ends a process by a signal, and answers with what it ended with. */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
  const ended = once(child, 'exit');
  child.kill(signal);
  return (await ended)[0] as unknown;
}

test(
  'the folder of a conversion that was killed is removed by the next one, and that of a living one stays',
  withProcesses,
  async () => {
    const [killed, living] = [await stoppedConversion(), await stoppedConversion()];
    expect(await end(killed.process, 'SIGKILL')).toBeNull();
    expect(await conversions()).toEqual([killed.folder, living.folder].sort());
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await parley(['import', small, '--plan'])).toMatchObject({ code: 0 });
    expect(await conversions()).toEqual([living.folder]);
    expect(await end(living.process, 'SIGCONT')).toBe(0);
    expect(await conversions()).toEqual([]);
  },
);
