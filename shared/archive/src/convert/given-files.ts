import { createReadStream } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
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
 * lower line, or lies in a folder of that name. Pictures of emoji lie in the folder `emoji`, by their names.
 */
export class GivenFiles {
  readonly #files = new Map<string, GivenFile>();
  readonly #emoji = new Map<string, GivenFile>();

  static async read(folder: string | undefined): Promise<GivenFiles> {
    const files = new GivenFiles();
    if (folder === undefined) return files;
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) await files.#add(files.#files, entry.name, path);
      else if (entry.name === 'emoji') await files.#addEach(files.#emoji, path);
      else await files.#addEach(files.#files, path, entry.name);
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

  async #addEach(to: Map<string, GivenFile>, folder: string, id?: string): Promise<void> {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (!entry.isDirectory())
        await this.#add(to, id ?? entry.name.replace(/\.\w+$/, ''), join(folder, entry.name));
    }
  }

  async #add(to: Map<string, GivenFile>, name: string, path: string): Promise<void> {
    const { size } = await stat(path);
    const file = { path, bytes: size };
    to.set(name, file);
    const [id = ''] = basename(name).split(/[._-]/);
    if (!to.has(id)) to.set(id, file);
  }
}

export const openGiven = (path: string): Readable => createReadStream(path);
