import { createHash } from 'node:crypto';
import { constants, existsSync, readFileSync } from 'node:fs';
import { access, chown, mkdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { execa } from 'execa';

import type { Say } from './say.ts';

const accountsFile = '/etc/passwd';

export interface ServerUser {
  name: string;
  uid: number;
  gid: number;
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The user that servers run as if this process is root: postgres, else nobody. Undefined for an ordinary user. */
export async function findServerUser(): Promise<ServerUser | undefined> {
  if (!isRoot()) return undefined;
  const accounts = readAccounts();
  for (const name of ['postgres', 'nobody']) {
    const account = accounts.find((candidate) => candidate.name === name);
    if (account) return account;
  }
  throw new Error(
    'Postgres does not run as root, and this system has no user postgres or nobody. Start Parley as another user.',
  );
}

/** The name of a user, or their number where the system's list lacks them. */
export const nameOfUser = (uid: number): string =>
  readAccounts().find((account) => account.uid === uid)?.name ?? `the user with id ${uid}`;

function readAccounts(): ServerUser[] {
  const lines = existsSync(accountsFile) ? readFileSync(accountsFile, 'utf8').split('\n') : [];
  return lines.map((line) => {
    const [name = '', , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
}

export async function mayEnter(user: ServerUser | undefined, folder: string): Promise<boolean> {
  if (!user) return true;
  const { uid, gid } = user;
  const { exitCode } = await execa('test', ['-x', folder], { uid, gid, cwd: '/', reject: false });
  return exitCode === 0;
}

/** Creates a folder `name` that the user can write to: in `dir`, or in /var/lib/parley if the user cannot enter `dir`. */
export async function folderFor(
  user: ServerUser | undefined,
  dir: string,
  name: string,
  say: Say,
): Promise<string> {
  await mkdir(dir, { recursive: true });
  const outside = `/var/lib/parley/${basename(dir)}-${createHash('sha256').update(dir).digest('hex').slice(0, 8)}`;
  const reachable = await mayEnter(user, dir);
  const folder = join(reachable ? dir : outside, name);
  if (!reachable) say(`The user ${user?.name} cannot enter ${dir}, so its ${name} folder is ${folder}.`);
  await mkdir(folder, { recursive: true });
  if (user) await giveTo(user, folder);
  else await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  return folder;
}

async function giveTo(user: ServerUser, folder: string): Promise<void> {
  const { uid, gid } = await stat(folder);
  if (uid === user.uid && gid === user.gid) return;
  // Its content may belong to the user that ran the server last time.
  await execa('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
  await chown(folder, user.uid, user.gid);
}
