import { createReadStream } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { limits } from '@parley/protocol';

/** A file that was downloaded already. */
export interface GivenFile {
  path: string;
  bytes: number;
}

/** The largest picture of an emoji. */
const pictureBytesMax = limits.pictureMebibytes * 1024 * 1024;

/**
 * Files of another product in a folder of this machine: each is named by its id there, alone or before a dot, a dash or a
 * lower line, or lies in a folder of that name. Pictures of emoji lie in the folder `emoji`, by their names. Files that begin
 * with a dot are passed over: a download that was interrupted leaves them.
 */
export class GivenFiles {
  readonly #files = new Map<string, GivenFile>();
  readonly #emoji = new Map<string, GivenFile>();

  static async read(folder: string | undefined): Promise<GivenFiles> {
    const files = new GivenFiles();
    if (folder === undefined) return files;
    for (const { name, path, isFolder } of await listEntries(folder)) {
      if (!isFolder) files.#addNamed(name, await givenFile(path));
      else if (name === 'emoji') await files.#addEmoji(path);
      else await files.#addAs(name, path);
    }
    return files;
  }

  find(id: string): GivenFile | undefined {
    return this.#files.get(id);
  }

  /** Reads the picture of an emoji; undefined if there is none. */
  async readEmoji(name: string): Promise<Buffer | undefined> {
    const file = this.#emoji.get(name);
    return file && file.bytes <= pictureBytesMax ? await readFile(file.path) : undefined;
  }

  #addNamed(name: string, file: GivenFile): void {
    this.#files.set(name, file);
    const [id = ''] = name.split(/[._-]/);
    if (!this.#files.has(id)) this.#files.set(id, file);
  }

  async #addAs(id: string, folder: string): Promise<void> {
    for (const { path, isFolder } of await listEntries(folder)) {
      if (!isFolder) this.#files.set(id, await givenFile(path));
    }
  }

  async #addEmoji(folder: string): Promise<void> {
    for (const { name, path, isFolder } of await listEntries(folder)) {
      if (!isFolder) this.#emoji.set(name.replace(/\.\w+$/, ''), await givenFile(path));
    }
  }
}

/** Returns what is in a folder and not hidden. */
async function listEntries(folder: string): Promise<{ name: string; path: string; isFolder: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter(({ name }) => !name.startsWith('.'))
    .map((entry) => ({
      name: entry.name,
      path: join(folder, entry.name),
      isFolder: entry.isDirectory(),
    }));
}

const givenFile = async (path: string): Promise<GivenFile> => ({ path, bytes: (await stat(path)).size });

export const openGiven = (path: string): Readable => createReadStream(path);
