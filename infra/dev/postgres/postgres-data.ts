import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

import { retryUntil } from '../machine/retry-until.ts';
import type { ServerUser } from '../machine/server-user.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';

/** Creates a data directory unless there is one. A partial one from an interrupted run is discarded. */
export async function initPostgresData(
  { bin, major }: PostgresBinaries,
  data: string,
  user: ServerUser | undefined,
): Promise<void> {
  if (existsSync(join(data, 'PG_VERSION'))) return;
  const partial = `${data}.partial`;
  await rm(partial, { recursive: true, force: true });
  // Case mapping follows Unicode and sorting follows code points, which is the same on every machine.
  const locale =
    major >= 17
      ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : ['--locale=C.UTF-8'];
  const settings = ['--encoding=UTF8', '--auth=trust', '--wal-segsize=1', '--no-sync', ...locale];
  const identity = user ? { uid: user.uid, gid: user.gid } : {};
  await execa(join(bin, 'initdb'), ['-D', partial, '-U', 'parley', ...settings], { ...identity, cwd: '/' });
  await rename(partial, data);
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
      throw new Error(`Another Postgres (pid ${pid}) uses ${data}. If nothing of yours does: kill ${pid}`);
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
