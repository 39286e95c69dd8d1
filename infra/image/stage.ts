import {
  chmod,
  copyFile,
  cp,
  mkdir,
  readFile,
  readdir,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

import { execa } from 'execa';

/** The programs of the image: what they import, and nothing else, is in it. */
const programs = ['services/api', 'services/queue', 'services/worker', 'services/cli'];

/** The built web client, which api nodes serve. */
const client = 'services/web/dist/client';

/** What a folder of ours has beside the program. */
const leftOut = new Set(['README.md', 'node_modules', 'src', 'tsconfig.json']);
const isForDevelopment = (name: string) =>
  /\.(?:d\.[cm]?ts|map|tsbuildinfo)$|\.test(?:-support)?\.js$/.test(name);

/**
 * Lays out what the image holds: the built programs and their bundles, the built web client, the packages that they need to run, and the start script. Everybody
 * may read it, and nobody but its owner may write.
 */
export async function stage(root: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const path of await productionPackages(root)) {
    const source = join(root, path);
    const target = join(folder, path);
    const real = relative(root, await realpath(source));
    if (real === path) {
      await copyTree(source, target, (name) => name === 'node_modules' || isForDevelopment(name));
    } else {
      await copyTree(
        join(root, real),
        join(folder, real),
        (name) => leftOut.has(name) || isForDevelopment(name),
      );
      await mkdir(dirname(target), { recursive: true });
      await symlink(relative(dirname(target), join(folder, real)), target);
    }
  }
  await copyTree(join(root, client), join(folder, client), isForDevelopment);
  const { license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { license: string };
  await writeFile(
    join(folder, 'package.json'),
    `${JSON.stringify({ type: 'module', private: true, license })}\n`,
  );
  await copyFile(join(root, 'infra/image/start.js'), join(folder, 'start.js'));
  for (const name of ['LICENSE', 'NOTICE']) await copyFile(join(root, name), join(folder, name));
  await closeForWriting(folder);
}

/** The folders of all packages that the programs need at run time, from the root. Ours are links. */
async function productionPackages(root: string): Promise<string[]> {
  const workspaces = programs.flatMap((path) => ['--workspace', path]);
  const { stdout } = await execa('npm', ['ls', '--all', '--parseable', '--omit=dev', ...workspaces], {
    cwd: root,
  });
  const paths = stdout.split('\n').map((path) => relative(root, path));
  return [...new Set(paths)].filter((path) => path.includes('node_modules/'));
}

async function copyTree(source: string, target: string, leavesOut: (name: string) => boolean): Promise<void> {
  await cp(source, target, {
    recursive: true,
    dereference: true,
    filter: (path) => path === source || !leavesOut(basename(path)),
  });
}

async function closeForWriting(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o111 ? 0o755 : 0o644);
  }
  await chmod(folder, 0o755);
}
