import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { git, run } from '../versions/history.ts';
import { compile, linkPackages } from '../versions/packages.ts';

/** Lays out and builds an earlier version of this repository, with the packages that it was written for. */
export async function buildVersion(
  commit: string,
  folder: string,
  say: (line: string) => void,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const archive = `${folder}.tar`;
  await git('archive', `--output=${archive}`, commit);
  await run('tar', ['-xf', archive, '-C', folder]);
  await linkPackages(folder, say);
  const mistakes = await compile(folder);
  if (mistakes !== null) throw new Error(`The version of ${commit} does not compile.\n${mistakes}`);
}

/** The entry of a role that runs one version or the other, whichever was chosen last. */
export interface Switch {
  readonly entryOf: (role: string) => string;
  choose(role: string, version: string): Promise<void>;
}

export async function createSwitch(dir: string): Promise<Switch> {
  await mkdir(dir, { recursive: true });
  const entryOf = (role: string) => join(dir, `${role}.mjs`);
  return {
    entryOf,
    choose: (role, version) =>
      writeFile(
        entryOf(role),
        `await import(${JSON.stringify(join(version, 'services', role, 'dist/main.js'))});\n`,
      ),
  };
}

/** Migrates a database as a version does. */
export async function migrateAs(version: string, databaseUrl: string): Promise<void> {
  const program = join(version, 'services/cli/bin/parley.js');
  const env = { DATABASE_URL: databaseUrl, PARLEY_DIR: dirname(version) };
  await run(process.execPath, [program, 'migrate'], { cwd: version, env });
}
