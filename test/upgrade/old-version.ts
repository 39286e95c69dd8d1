import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The root of this checkout. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

const git = async (...args: string[]) => (await run('git', args, { cwd: root })).stdout.trim();

/** The commit before the newest one that changed the schema: a deployment of it meets a migration. */
export async function findBase(): Promise<string> {
  return await git('log', '-1', '--format=%H^', '--', 'shared/db/migrations', 'shared/db/functions');
}

/** Lays out and builds an earlier version of this repository, with the packages that are installed here. */
export async function buildVersion(commit: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const archive = join(folder, '..', 'version.tar');
  await git('archive', `--output=${archive}`, commit);
  await run('tar', ['-xf', archive, '-C', folder]);
  await linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'), folder);
  for (const path of ['shared/markdown']) {
    const nested = join(root, path, 'node_modules');
    if (existsSync(nested)) await symlink(nested, join(folder, path, 'node_modules'));
  }
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--build'], { cwd: folder });
}

/** Other people's packages are those of this checkout; ours are those of the earlier version. */
async function linkPackages(from: string, to: string, folder: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    if (name !== '@parley') await symlink(join(from, name), join(to, name));
  }
  await mkdir(join(to, '@parley'));
  for (const name of await readdir(join(from, '@parley'))) {
    const home = join(folder, relative(root, await realpath(join(from, '@parley', name))));
    if (existsSync(home)) await symlink(home, join(to, '@parley', name));
  }
}

/** The entry of a role that runs one version or the other, whichever was chosen last. */
export interface Switch {
  entryOf(role: string): string;
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
