import { join } from 'node:path';

import { execa } from 'execa';

import { installDebian, libraryFolders, unpackDebian } from '../machine/debian-package.ts';
import { findFirst } from '../machine/find-first.ts';
import { findProgram } from '../machine/find-program.ts';
import type { Say } from '../machine/say.ts';

export interface RedisBinary {
  path: string;
  /** The folders of its shared libraries, if they are not installed in the system. */
  libraries: string;
  source: string;
}

const oldestMajor = 7;

export async function findRedisBinary(say: Say): Promise<RedisBinary> {
  return findFirst(
    [
      { name: 'PATH', find: fromPath },
      { name: 'unpacked package', find: () => fromUnpacked(say) },
      {
        name: 'apt-get',
        find: async () => {
          await installDebian('redis-server', say);
          return fromPath();
        },
      },
    ],
    'Redis',
    'Set REDIS_URL to a Redis or Valkey 7 or newer, or install redis-server.',
  );
}

async function fromPath(): Promise<RedisBinary> {
  const path = findProgram('redis-server', 'valkey-server');
  if (!path) throw new Error('no redis-server or valkey-server');
  return describe(path, '', path);
}

async function fromUnpacked(say: Say): Promise<RedisBinary> {
  const packages = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1', 'libatomic1'];
  const root = await unpackDebian('redis', packages, say);
  return describe(join(root, 'usr/bin/redis-server'), await libraryFolders(root), `unpacked in ${root}`);
}

async function describe(path: string, libraries: string, where: string): Promise<RedisBinary> {
  const { stdout } = await execa(path, ['--version'], { env: { LD_LIBRARY_PATH: libraries } });
  const version = /v=([\d.]+)/.exec(stdout)?.[1] ?? '';
  if (Number.parseInt(version, 10) < oldestMajor) throw new Error(`${path} is version ${version}, too old`);
  return { path, libraries, source: `Redis ${version}, ${where}` };
}
