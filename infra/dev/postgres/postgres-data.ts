import { readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { ExecaError, execa } from 'execa';

import { retryUntil } from '../machine/retry-until.ts';
import type { ServerUser } from '../machine/server-user.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';

/** The file in which Postgres says which version wrote the data beside it. */
const versionFile = 'PG_VERSION';

/** A directory of data, and the major version of the Postgres that wrote it. */
export interface PostgresData {
  path: string;
  major: number;
}

/** Finds the data that there is in a folder: of several versions, that of the newest. */
export async function findPostgresData(home: string): Promise<PostgresData | undefined> {
  const found: PostgresData[] = [];
  for (const name of await readdir(home)) {
    if (!/^data-\d+$/.test(name)) continue;
    const path = join(home, name);
    const version = await readFile(join(path, versionFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      throw new Error(
        `${path} lacks ${versionFile}, so it is not the data of a Postgres. ` +
          'Restore it from a backup, or move it away to begin anew.',
      );
    });
    found.push({ path, major: Number.parseInt(version, 10) });
  }
  return found.sort((a, b) => b.major - a.major)[0];
}

/** Creates a data directory. A partial one from an interrupted run is discarded. */
export async function createPostgresData(
  { bin, major }: PostgresBinaries,
  home: string,
  user: ServerUser | undefined,
): Promise<PostgresData> {
  const path = join(home, `data-${major}`);
  const partial = `${path}.partial`;
  await rm(partial, { recursive: true, force: true });
  // Case mapping follows Unicode and sorting follows code points, which is the same on every machine.
  const locale =
    major >= 17
      ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : ['--locale=C.UTF-8'];
  const settings = ['--encoding=UTF8', '--auth=trust', '--wal-segsize=1', '--no-sync', ...locale];
  const identity = user ? { uid: user.uid, gid: user.gid } : {};
  try {
    await execa(join(bin, 'initdb'), ['-D', partial, '-U', 'parley', ...settings], { ...identity, cwd: '/' });
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    const said = error instanceof ExecaError ? error.stderr : String(error);
    throw new Error(`Postgres could not create its data in ${path}:\n${said}`, { cause: error });
  }
  await rename(partial, path);
  return { path, major };
}

/**
 * Removes the pid file of a killed server. It waits for a server that is still ending, and throws if another server
 * uses the data.
 */
export async function clearStalePid(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid) return;
  await retryUntil(async () => {
    if (await servesData(pid, data)) {
      throw new Error(
        `Another Postgres (pid ${pid}) uses ${data}. Stop the program that started it, or end it with: kill ${pid}`,
      );
    }
  }, AbortSignal.timeout(10_000));
  await rm(file, { force: true });
}

// The pid alone proves nothing: after a reboot it may belong to any program.
async function servesData(pid: number, data: string): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(async () => {
    const { stdout } = await execa('ps', ['-o', 'args=', '-p', String(pid)], { reject: false });
    return stdout ?? '';
  });
  return command.includes(data);
}
