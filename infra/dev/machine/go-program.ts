import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

import { cacheFolder } from './debian-package.ts';
import { findProgram } from './find-program.ts';
import type { Say } from './say.ts';

/** The Go of this machine, if there is one. */
export const findGo = (): string | undefined =>
  findProgram('go') ?? ['/usr/local/go/bin/go'].find((path) => existsSync(path));

/** A program that is built from the Go module that has its name. */
export interface GoProgram {
  module: string;
  version: string;
}

const nameOf = ({ module }: GoProgram) => module.slice(module.lastIndexOf('/') + 1);
const folderOf = (program: GoProgram) =>
  join(cacheFolder(), `${nameOf(program)}-${program.version.replace(/^v/, '')}`);

/** Where a program is once it is built. */
export const goProgramPath = (program: GoProgram): string => join(folderOf(program), nameOf(program));

/** Builds a program, once, and returns its path; undefined where there is no Go. The first time takes minutes. */
export async function provideGoProgram(program: GoProgram, say: Say): Promise<string | undefined> {
  const folder = folderOf(program);
  const path = goProgramPath(program);
  if (existsSync(path)) return path;
  const go = findGo();
  if (!go) return undefined;
  const source = `${program.module}@${program.version}`;
  say(`Building ${source} …`);
  const building = `${folder}.new`;
  await mkdir(building, { recursive: true });
  // A machine that builds is one that others work on, too.
  const env = { CGO_ENABLED: '0', GOFLAGS: '-p=1 -trimpath', GOBIN: building };
  await execa('nice', ['-n', '10', go, 'install', '-ldflags=-s -w', source], { cwd: building, env });
  // If another process has built it meanwhile, its folder is used.
  await rename(building, folder).catch((error: unknown) => {
    if (!existsSync(path)) throw error;
  });
  return path;
}
