import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { type FileStore, checkKey } from './store.ts';

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
  };
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
