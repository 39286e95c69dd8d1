import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test, vi } from 'vitest';

import { makeWorkFolder, removeLeftFolders } from './work-folder.ts';

/** A folder for temporary files that nobody else has. */
async function makeTemporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wf-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

/** The built file: a process cannot load the sources. */
const built = new URL('../dist/index.js', import.meta.url).href;
const program = `
  const { makeWorkFolder } = await import(process.argv[1]);
  const { writeFile } = await import('node:fs/promises');
  const { path } = await makeWorkFolder('convert');
  await writeFile(path + '/unpacked', 'x');
  process.stdout.write(path);
  process.stdin.resume();`;

/** Starts a process that has made a work folder, and does nothing. */
async function startProcess(): Promise<{ process: ChildProcess; path: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, built], {
    cwd: import.meta.dirname,
    env: { TMPDIR: tmpdir() },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [path] = (await once(child.stdout, 'data')) as [Buffer];
  return { process: child, path: path.toString() };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

test('a work folder is there until it is disposed of', async () => {
  const temporary = await makeTemporary();
  {
    await using folder = await makeWorkFolder('convert');
    expect(folder.path.startsWith(join(temporary, 'parley-convert-'))).toBe(true);
    await writeFile(join(folder.path, 'file'), 'x');
    await removeLeftFolders();
    expect(await isThere(join(folder.path, 'file'))).toBe(true);
  }
  {
    using _ = await makeWorkFolder('convert');
  }
  expect(await readdir(temporary)).toEqual([]);
});

test('folders of processes that were killed are removed, and those of living ones stay', async () => {
  const temporary = await makeTemporary();
  const [killed, living, stopped] = [await startProcess(), await startProcess(), await startProcess()];
  stopped.process.kill('SIGSTOP');
  await kill(killed.process);
  expect(await isThere(join(killed.path, 'unpacked'))).toBe(true);
  await removeLeftFolders();
  expect((await readdir(temporary)).sort()).toEqual(
    [living.path, stopped.path].map((path) => path.slice(temporary.length + 1)).sort(),
  );
  expect(await isThere(join(living.path, 'unpacked'))).toBe(true);
  await Promise.all([kill(living.process), kill(stopped.process)]);
  await removeLeftFolders();
  expect(await readdir(temporary)).toEqual([]);
});

test('a folder stays that nothing says whose it is, or that a link or a file leads to', async () => {
  const temporary = await makeTemporary();
  const { process: child, path } = await startProcess();
  await kill(child);
  const elsewhere = join(temporary, 'elsewhere');
  await rename(path, elsewhere);
  await symlink(elsewhere, path);
  await mkdir(join(temporary, 'parley-convert-old1'));
  const marked = (await readdir(elsewhere)).find((name) => name.startsWith('.held-')) ?? '';
  await mkdir(join(temporary, 'parley-convert-old2'));
  await writeFile(join(temporary, 'parley-convert-old2', marked), 'no socket');
  await writeFile(join(temporary, 'parley-convert-old3'), 'no folder');
  await removeLeftFolders();
  expect(await readdir(temporary)).toHaveLength(5);
  expect(await isThere(join(elsewhere, 'unpacked'))).toBe(true);
});

test('a folder of another machine is removed when nobody has touched it for a day', async () => {
  const temporary = await makeTemporary();
  const { process: child, path } = await startProcess();
  await kill(child);
  const marked = (await readdir(path)).find((name) => name.startsWith('.held-')) ?? '';
  const other = join(path, '.held-0123456789ab');
  await rename(join(path, marked), other);
  await removeLeftFolders();
  expect(await isThere(path)).toBe(true);
  const before = new Date(Date.now() - 90_000_000);
  await utimes(other, before, before);
  await removeLeftFolders();
  expect(await readdir(temporary)).toEqual([]);
});

test('a folder with a path that is too long for a socket can be used all the same', async () => {
  const temporary = await makeTemporary();
  const long = join(temporary, 'l'.repeat(100));
  await mkdir(long);
  vi.stubEnv('TMPDIR', long);
  await using folder = await makeWorkFolder('convert');
  await removeLeftFolders();
  expect(await readdir(folder.path)).toEqual([]);
});
