import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folders of imports, named by the processes that made them. */
const named = /^parley-import-(\d+)-/;

/** Makes a folder for the temporary files of an import. It is removed when it is disposed of. */
export async function makeImportFolder(): Promise<AsyncDisposable & { path: string }> {
  await removeLeftOver();
  const path = await mkdtemp(join(tmpdir(), `parley-import-${process.pid}-`));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Removes the folders of workers that were killed. */
async function removeLeftOver(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = named.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) {
      await rm(join(tmpdir(), name), { recursive: true, force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  // A worker imports one archive at a time: what has its own number is of a process before it that had the same.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
