import { join } from 'node:path';

import { execa } from 'execa';

import { libraryFolders, unpackDebian } from '../machine/debian-package.ts';
import { findFirst } from '../machine/find-first.ts';
import { findProgram } from '../machine/find-program.ts';
import type { Say } from '../machine/say.ts';

export interface NginxBinary {
  path: string;
  /** The folders of its shared libraries, if they are not installed in the system. */
  libraries: string;
  source: string;
}

export async function findNginxBinary(say: Say): Promise<NginxBinary> {
  return findFirst(
    [
      { name: 'PATH', find: fromPath },
      { name: 'unpacked package', find: () => fromUnpacked(say) },
    ],
    'No nginx was found:',
    'Install nginx, or set PARLEY_PROXY=node.',
  );
}

async function fromPath(): Promise<NginxBinary> {
  const path = findProgram('nginx');
  if (!path) throw new Error('no nginx');
  return describe(path, '', path);
}

async function fromUnpacked(say: Say): Promise<NginxBinary> {
  const root = await unpackDebian('nginx', ['nginx'], say);
  return describe(join(root, 'usr/sbin/nginx'), await libraryFolders(root), `unpacked in ${root}`);
}

async function describe(path: string, libraries: string, where: string): Promise<NginxBinary> {
  const { stderr } = await execa(path, ['-v'], { env: { LD_LIBRARY_PATH: libraries } });
  return { path, libraries, source: `${stderr.trim().replace(/^nginx version: /, '')}, ${where}` };
}
