import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, readdir, realpath, rename, rm, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { cacheFolder } from '@parley/infra';

import { root, run } from './history.ts';

const exceptModules = {
  recursive: true,
  filter: (path: string) => !/\/(?:node_modules|\.git|dist)$/.test(path),
};

/**
 * Links the packages that an earlier version was written for into its folder. They are those of this checkout if both
 * have the same lock file and the same patches. Otherwise they are installed once, into a folder of the cache.
 */
export async function linkPackages(folder: string, say: (line: string) => void): Promise<void> {
  const wanted = await hashOfPackages(folder);
  const home = wanted === (await hashOfPackages(root)) ? root : await provideCached(folder, wanted, say);
  await rm(join(folder, 'node_modules'), { recursive: true, force: true });
  await mkdir(join(folder, 'node_modules/@parley'), { recursive: true });
  for (const name of await readdir(join(home, 'node_modules'))) {
    if (name === '@parley' || name === '.bin') continue;
    await symlink(join(home, 'node_modules', name), join(folder, 'node_modules', name));
  }
  // The rooms are those of the version itself.
  for (const name of await readdir(join(home, 'node_modules/@parley'))) {
    const room = relative(home, await realpath(join(home, 'node_modules/@parley', name)));
    if (!existsSync(join(folder, room))) continue;
    await symlink(join(folder, room), join(folder, 'node_modules/@parley', name));
    const nested = join(home, room, 'node_modules');
    if (!existsSync(nested)) continue;
    await rm(join(folder, room, 'node_modules'), { recursive: true, force: true });
    await symlink(nested, join(folder, room, 'node_modules'));
  }
}

/** Versions with the same hash use the same packages. Compiled ones depend on the version of Node. */
async function hashOfPackages(folder: string): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.versions.modules}`);
  hash.update(await readFile(join(folder, 'package-lock.json')));
  const patches = join(folder, 'patches');
  for (const name of existsSync(patches) ? (await readdir(patches)).toSorted() : []) {
    if (name.endsWith('.patch')) hash.update(name).update(await readFile(join(patches, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function provideCached(folder: string, hash: string, say: (line: string) => void): Promise<string> {
  const home = join(cacheFolder(), `packages-${hash}`);
  if (existsSync(home)) return home;
  say(`Installing the packages of that version into ${home} …`);
  await mkdir(cacheFolder(), { recursive: true });
  const work = await mkdtemp(join(cacheFolder(), 'installing-'));
  try {
    await cp(folder, work, exceptModules);
    // Building the web client sets NODE_ENV in this process, by which npm would leave the compiler out.
    await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], { cwd: work });
    // If another process has installed them meanwhile, its folder is used.
    await rename(work, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return home;
}

/** Compiles a version in its folder, with the compiler that it names. Resolves with what is wrong, null if nothing is. */
export async function compile(folder: string): Promise<string | null> {
  const compiler = join(folder, 'node_modules/typescript/bin/tsc');
  return await run(process.execPath, [compiler, '--build'], { cwd: folder }).then(
    () => null,
    // Safe: this is how a program that fails is reported.
    (error: { stdout: string; stderr: string }) => `${error.stdout}${error.stderr}`.trim(),
  );
}
