import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { refused } from '../read/refused.ts';
import { unreadable } from '../read/unpack-failure.ts';
import { readTarFiles } from './tar-files.ts';

/** Files of an archive. */
const entriesMax = 1_000_000;
/** What was found in a tar file. */
export interface UnpackedTar {
  /** The bytes of all its files, by their paths. */
  sizes: ReadonlyMap<string, number>;
  /** Where the files are that were unpacked. */
  unpacked: ReadonlyMap<string, string>;
}

/**
 * Unpacks some files of a tar file into a folder, under names of ours.
 *
 * @throws ArchiveRefused for what cannot be unpacked or would be more than it seems
 */
export async function unpackTar(
  archive: string,
  folder: string,
  isWanted: (path: string) => boolean,
): Promise<UnpackedTar> {
  const sizes = new Map<string, number>();
  const unpacked = new Map<string, string>();
  for await (const { path, bytes, content } of readTarFiles(archive)) {
    if (sizes.has(path)) throw refused('file_twice', { path });
    if (sizes.size >= entriesMax) throw refused('files_max', { count: entriesMax });
    sizes.set(path, bytes);
    if (!isWanted(path)) continue;
    const file = join(folder, `unpacked-${unpacked.size}`);
    unpacked.set(path, file);
    await pipeline(content, createWriteStream(file, { mode: 0o600 })).catch((error: unknown) => {
      throw unreadable(error);
    });
  }
  return { sizes, unpacked };
}
