import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { execa } from 'execa';

import { findProgram } from './find-program.ts';
import type { Say } from './say.ts';
import { isRoot } from './server-user.ts';

/** The folder of downloaded programs. Servers that run as another user can read it. */
export function cacheFolder(): string {
  if (isRoot()) return '/var/cache/parley';
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'parley');
}

/**
 * Unpacks Debian packages without installing them, once, and returns their folder. It does not need root, because apt
 * works on a state of its own. It fails where there is no apt or its mirror cannot be reached.
 */
export async function unpackDebian(name: string, packages: readonly string[], say: Say): Promise<string> {
  if (!findProgram('apt-get') || !findProgram('dpkg')) throw new Error('this is not a Debian system');
  const cache = cacheFolder();
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;

  say(`Downloading Debian's ${name} into ${folder} (nothing is installed) …`);
  await mkdir(cache, { recursive: true });
  // The server's user must be able to read the folder, whatever the umask.
  await chmod(cache, 0o755);
  const work = await mkdtemp(join(cache, 'unpacking-'));
  try {
    await download(work, packages);
    const unpacked = join(work, 'root');
    for (const file of await readdir(work)) {
      if (file.endsWith('.deb')) await execa('dpkg', ['-x', join(work, file), unpacked]);
    }
    // If another process has unpacked the packages meanwhile, its folder is used.
    await rename(unpacked, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function download(work: string, packages: readonly string[]): Promise<void> {
  const state = join(work, 'state');
  await mkdir(join(state, 'lists/partial'), { recursive: true });
  await mkdir(join(work, 'cache/archives/partial'), { recursive: true });
  const conf = join(work, 'apt.conf');
  const settings = {
    'Dir::State': state,
    'Dir::State::status': '/var/lib/dpkg/status',
    'Dir::Cache': join(work, 'cache'),
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
  };
  await writeFile(
    conf,
    Object.entries(settings).map(([key, value]) => `${key} "${value}";\n`),
  );
  const apt = { cwd: work, env: { APT_CONFIG: conf }, timeout: 120_000 };
  // Another source's mirror may be down without harm: what counts is whether our packages arrive.
  await execa('apt-get', ['-q', 'update'], { ...apt, reject: false });
  await execa('apt-get', ['-q', 'download', ...packages], apt);
}

/** The folders of shared libraries in an unpacked package, joined by colons. */
export async function libraryFolders(root: string): Promise<string> {
  const lib = join(root, 'usr/lib');
  const entries = await readdir(lib).catch(() => []);
  return entries
    .filter((entry) => entry.includes('-linux-'))
    .map((entry) => join(lib, entry))
    .join(':');
}
