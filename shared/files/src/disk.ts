import { randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { copyFile, mkdir, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { type FileStore, type ListedObject, checkKey } from './store.ts';

/** Creates a file store in one folder, to which all nodes must have access. */
export function createDiskStore(folder: string): FileStore {
  const root = resolve(folder);
  const pathOf = (key: string) => join(root, checkKey(key));

  return {
    async put(key, source) {
      const path = pathOf(key);
      const partial = `${path}.${randomBytes(6).toString('hex')}.partial`;
      await mkdir(dirname(path), { recursive: true });
      try {
        if (source instanceof Uint8Array) await writeFile(partial, source);
        else await copyFile(source.file, partial);
        await sync(partial);
        await rename(partial, path);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },

    async open(key, range) {
      const handle = await open(pathOf(key)).catch(undefinedIfMissing);
      if (!handle) return undefined;
      const { size } = await handle.stat();
      return { bytes: size, body: handle.createReadStream(range) };
    },

    async remove(key) {
      await rm(pathOf(key), { recursive: true, force: true });
    },

    async *folders(folder) {
      for await (const entry of entriesOf(pathOf(folder))) if (entry.isDirectory()) yield entry.name;
    },

    list: (folder) => listBelow(root, checkKey(folder)),
  };
}

/** What `put` has not finished, or left when its process was killed. */
const partialName = /\.[0-9a-f]{12}\.partial$/;

async function* listBelow(root: string, folder: string): AsyncGenerator<ListedObject> {
  for await (const entry of entriesOf(join(root, folder))) {
    const key = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* listBelow(root, key);
    else if (entry.isFile() && !partialName.test(entry.name)) {
      const found = await stat(join(root, key)).catch(undefinedIfMissing);
      if (found) yield { key, bytes: found.size, storedAt: found.mtime };
    }
  }
}

/** The entries of a folder; none of one that does not exist. */
async function* entriesOf(path: string): AsyncGenerator<Dirent> {
  const folder = await opendir(path).catch(undefinedIfMissing);
  if (folder) yield* folder;
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Flushes a file to the disk, so that what `put` has stored survives a power cut. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
