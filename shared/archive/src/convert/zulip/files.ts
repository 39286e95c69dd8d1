import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { readImage, renderAvatar } from '@parley/files';
import * as model from '@parley/model';
import { limits } from '@parley/protocol';

import { filePath } from '../../manifest.ts';
import type { ArchiveFile } from '../../read/entries.ts';
import type { ArchiveFileWriter } from '../../write/archive-file.ts';
import type { PartWriter } from '../../write/part.ts';
import { readTarFiles } from '../tar-files.ts';

/** About the most bytes of files in a part. */
const partBytesMax = 64 * 1024 * 1024;
/** Pictures that are looked at for their size. */
const imageBytesMax = 32 * 1024 * 1024;
const uploadBytesMax = limits.uploadMebibytes * 1024 * 1024;

export const folderOf = (name: string): string =>
  createHash('sha256').update(name).digest('base64url').slice(0, 24);

export type ImageFacts = Awaited<ReturnType<typeof readImage>>;

/**
 * Returns the path of an upload here: Zulip’s has the organization, random folders, and the name; ours has one folder.
 * Undefined for a path that is none.
 */
export function uploadPathOf(path: string): string | undefined {
  const [, realm, folders = '', name] =
    /^([1-9]\d{0,9})\/((?:[\w-]{1,64}\/){1,3})([^/\p{Cc}]{1,160})$/u.exec(path) ?? [];
  const folder = folders.slice(0, -1).replaceAll('/', '-');
  return realm === undefined || name === undefined || folder.length > 64
    ? undefined
    : `${realm}/${folder}/${name}`;
}

/** Where files of the export go. Those that nothing refers to stay where they are. */
export interface Placed {
  /** Keys of the file store, by paths in the export. */
  keys: Map<string, string[]>;
  /** Paths of uploads that may be pictures. */
  pictures: Set<string>;
  /** Pictures of people that have to be made smaller, and where these go. */
  originals: Map<string, string>;
}

/** What was found in files. */
interface Copied {
  /** What pictures among the uploads are, by their paths in the export. */
  facts: ReadonlyMap<string, ImageFacts>;
  /** Pictures of people that are none. */
  broken: ReadonlySet<string>;
}

interface CopyOptions {
  archive: string;
  /** The folder in which all files of the export are. */
  root: string;
  /** A folder for temporary files. */
  folder: string;
  writer: ArchiveFileWriter;
}

/** Copies files of an export into parts of an archive. */
export async function copyFiles(
  { archive, root, folder, writer }: CopyOptions,
  placed: Placed,
): Promise<Copied> {
  const copied = { facts: new Map<string, ImageFacts>(), broken: new Set<string>() };
  const files = readTarFiles(archive);
  const isPlaced = (path: string) => placed.keys.has(path) || placed.originals.has(path);
  const queue = { next: await nextOf(files, root, isPlaced) };
  while (queue.next) {
    await writer.addPart(async (part) => {
      while (queue.next && part.bytes < partBytesMax) {
        await copy(part, queue.next, join(folder, 'file'), { ...placed, ...copied });
        queue.next = await nextOf(files, root, isPlaced);
      }
    });
  }
  return copied;
}

/** Returns the next file that has a place here, with its path in the export. */
async function nextOf(
  files: AsyncGenerator<ArchiveFile>,
  root: string,
  isPlaced: (path: string) => boolean,
): Promise<ArchiveFile | undefined> {
  for (let next = await files.next(); next.done !== true; next = await files.next()) {
    const { path, bytes, content } = next.value;
    const own = path.slice(root.length);
    if (path.startsWith(root) && isPlaced(own)) return { path: own, bytes, content };
  }
  return undefined;
}

async function copy(
  part: PartWriter,
  { path, bytes, content }: ArchiveFile,
  here: string,
  {
    keys,
    pictures,
    originals,
    facts,
    broken,
  }: Placed & { facts: Map<string, ImageFacts>; broken: Set<string> },
): Promise<void> {
  const [into = [], avatar] = [keys.get(path), originals.get(path)];
  const isOnce = into.length === 1 && avatar === undefined && !pictures.has(path);
  if (isOnce) return await part.addStream(filePath(into[0] ?? ''), bytes, content);
  // By way of a file of this machine, which can be read more than once.
  try {
    await pipeline(content, createWriteStream(here, { mode: 0o600 }));
    for (const key of into) await part.addStream(filePath(key), bytes, createReadStream(here));
    if (pictures.has(path) && bytes <= imageBytesMax) {
      const found = await readImage(here).catch(() => undefined);
      if (found) facts.set(path, found);
    }
    if (avatar !== undefined) {
      const made = bytes > imageBytesMax ? [] : await renderAvatar(0, here, avatarSizes).catch(() => []);
      if (made.length < avatarSizes.length) broken.add(avatar);
      for (const [index, picture] of made.entries()) {
        const key = model.files.avatarPlace(avatar).variant(`${avatarSizes[index]}.png`);
        await part.add(filePath(key), Buffer.from(picture));
      }
    }
  } finally {
    await rm(here, { force: true });
  }
}

const avatarSizes = Object.values(model.users.avatarSizes);

/** Returns whether an upload of that size can be here; the size is undefined if the export lacks the file. */
export const isUpload = (bytes: number | undefined): bytes is number =>
  bytes !== undefined && bytes <= uploadBytesMax;

export const uploadKey = (path: string): string => model.files.uploadPlace(path).original;
