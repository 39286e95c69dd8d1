import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';

import { cacheFolder, libraryFolders, unpackDebian } from '../machine/debian-package.ts';
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
const builtVersion = '7.2.11';

export async function findRedisBinary(say: Say): Promise<RedisBinary> {
  return findFirst(
    [
      { name: 'PATH', find: fromPath },
      { name: 'unpacked package', find: () => fromUnpacked(say) },
      { name: 'built from source', find: () => fromSource(say) },
    ],
    'No Redis was found:',
    'Install Redis or Valkey 7 or newer (macOS: brew install redis; Fedora: dnf install valkey), or set REDIS_URL to one that runs.',
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

/** Builds Redis as `redis-memory-server` does, once. */
async function fromSource(say: Say): Promise<RedisBinary> {
  const tools = ['make', 'cc'].filter((name) => !findProgram(name));
  if (tools.length > 0) throw new Error(`no ${tools.join(' and no ')}`);
  const downloadDir = join(cacheFolder(), 'redis-built');
  if (!existsSync(join(downloadDir, builtVersion, 'redis-server'))) {
    say(`Building Redis ${builtVersion} in ${downloadDir}, which takes a minute or two …`);
  }
  // It reads the package.json of whoever imports it, and is almost never needed.
  const { RedisBinary: builder } = await import('redis-memory-server');
  const path = await builder.getPath({ downloadDir, version: builtVersion });
  return describe(path, '', path);
}

async function describe(path: string, libraries: string, where: string): Promise<RedisBinary> {
  const { stdout } = await execa(path, ['--version'], { env: { LD_LIBRARY_PATH: libraries } });
  const version = /v=([\d.]+)/.exec(stdout)?.[1] ?? '';
  if (Number.parseInt(version, 10) < oldestMajor) throw new Error(`${path} is version ${version}, too old`);
  return { path, libraries, source: `Redis ${version}, ${where}` };
}
