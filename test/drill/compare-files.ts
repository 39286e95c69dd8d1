import { readFile, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { digestOf } from './uploader.ts';

/** Digests of the files in a folder, by their paths. */
export interface Digests {
  files: Map<string, { digest: string; storedMs: number }>;
}

/** Reads all files of a folder of uploads but those that were being written. */
export async function readDigests(folder: string): Promise<Digests['files']> {
  const files: Digests['files'] = new Map();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.endsWith('.partial')) continue;
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs } = await stat(path);
    files.set(relative(folder, path), { digest: digestOf(await readFile(path)), storedMs: mtimeMs });
  }
  return files;
}

export interface FilesCompared {
  /** Files that are as they were. */
  same: number;
  /** Files that are not there or are others, and for how long they had been stored when they were destroyed. */
  lost: { path: string; ageMs: number }[];
  damaged: string[];
}

/** Compares what was destroyed with what was restored. */
export function compareFiles(
  destroyed: Digests['files'],
  restored: Digests['files'],
  destroyedMs: number,
): FilesCompared {
  const compared: FilesCompared = { same: 0, lost: [], damaged: [] };
  for (const [path, { digest, storedMs }] of destroyed) {
    const found = restored.get(path);
    if (!found) compared.lost.push({ path, ageMs: destroyedMs - storedMs });
    else if (found.digest === digest) compared.same += 1;
    else compared.damaged.push(path);
  }
  return compared;
}
