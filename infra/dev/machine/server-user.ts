import { createHash } from 'node:crypto';
import { chown, mkdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { execa } from 'execa';

import type { Say } from './say.ts';

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
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const account = accounts.find(([login]) => login === name);
    if (account) return { name, uid: Number(account[2]), gid: Number(account[3]) };
  }
  throw new Error('Servers do not run as root, and there is no user postgres or nobody to run them as.');
}

export async function mayEnter(user: ServerUser | undefined, folder: string): Promise<boolean> {
  if (!user) return true;
  const { uid, gid } = user;
  const { exitCode } = await execa('test', ['-x', folder], { uid, gid, cwd: '/', reject: false });
  return exitCode === 0;
}

/** Creates a folder `name` that belongs to the user: in `dir`, or in /var/lib/parley if the user cannot enter `dir`. */
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
  if (!reachable) say(`The user ${user?.name} can not enter ${dir}: its ${name} is in ${folder}.`);
  await mkdir(folder, { recursive: true });
  if (user) await giveTo(user, folder);
  return folder;
}

async function giveTo(user: ServerUser, folder: string): Promise<void> {
  const { uid, gid } = await stat(folder);
  if (uid === user.uid && gid === user.gid) return;
  // Its content may belong to the user that ran the server last time.
  await execa('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
  await chown(folder, user.uid, user.gid);
}
