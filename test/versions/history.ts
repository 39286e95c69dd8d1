import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { type Version, readVersions } from './changelog.ts';

const isBuilt = /\/test\/dist\/versions\/[^/]*$/.test(import.meta.url);

/** The root of this checkout. */
export const root = fileURLToPath(new URL(isBuilt ? '../../../' : '../../', import.meta.url));

/** Runs a program, and rejects with what it printed if it fails. */
export const run = promisify(execFile);

/** What git answers in this checkout. */
export async function git(...args: string[]): Promise<string> {
  return (await run('git', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })).stdout.trim();
}

const succeeds = (...args: string[]) =>
  git(...args).then(
    () => true,
    () => false,
  );

export async function listVersions(): Promise<Version[]> {
  return readVersions(await readFile(join(root, 'CHANGELOG.md'), 'utf8'));
}

/** Why one of these commits cannot be had on this machine, in a sentence; null if all can be had. */
export async function whyUnavailable(commits: readonly string[]): Promise<string | null> {
  if (!(await succeeds('rev-parse', '--git-dir'))) {
    return 'This is no git checkout, so there are no earlier versions here. Clone the repository to try them.';
  }
  for (const commit of commits) {
    if (await succeeds('cat-file', '-e', `${commit}^{commit}`)) continue;
    const isShallow = (await git('rev-parse', '--is-shallow-repository')) === 'true';
    if (!isShallow) throw new Error(`There is no commit ${commit} in the history of this checkout.`);
    return `This clone is shallow and lacks commit ${commit}. Fetch the history first: git fetch --unshallow`;
  }
  return null;
}
