import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { bundleEarly } from './bundle-early.ts';
import { bundleWorker } from './bundle-worker.ts';
import { bundle } from './bundle.ts';
import { drawIcons } from './draw-icons.ts';
import { precompress } from './precompress.ts';

/** What the built client is made from, from the root. */
const sources = [
  'services/web/src',
  'services/web/index.html',
  'shared/client/src',
  'shared/strings/src',
  'infra/web',
  'package-lock.json',
];

export interface ClientBuild {
  /** The root of the checkout. */
  root: string;
  readonly say: (line: string) => void;
}

/** The file of the built client that says from what it was built. */
const stampFile = 'built-from';

/**
 * Builds the web client into `services/web/dist/client`, with a compressed form beside each file, unless what is there
 * was built from the same sources.
 */
export async function buildClient({ root, say }: ClientBuild): Promise<void> {
  const web = join(root, 'services/web');
  const folder = join(web, 'dist/client');
  const stamp = await stampOf(root);
  if ((await readFile(join(folder, stampFile), 'utf8').catch(() => '')) === stamp) return;

  say('Building the web client …');
  await mkdir(join(web, 'dist'), { recursive: true });
  // Whoever serves or builds at the same time sees the whole of one build.
  const fresh = await mkdtemp(join(web, 'dist/building-'));
  await chmod(fresh, 0o755);
  try {
    await bundle(web, 'index.html', fresh, await bundleEarly(web));
    await drawIcons(join(web, 'src/icon.svg'), join(fresh, 'static/web'));
    await bundleWorker(web, fresh);
    await precompress(fresh);
    await writeFile(join(fresh, stampFile), stamp);
    await rm(folder, { recursive: true, force: true });
    await rename(fresh, folder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function stampOf(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of (await Promise.all(sources.map((source) => filesOf(root, source)))).flat()) {
    hash
      .update(`${path}\0`)
      .update(await readFile(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

async function filesOf(root: string, source: string): Promise<string[]> {
  const entries = await readdir(join(root, source), { recursive: true, withFileTypes: true }).catch(
    () => null,
  );
  if (!entries) return [source];
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}
