import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

import { type ArchiveFile, readTar } from '../read/entries.ts';
import { refused } from '../read/refused.ts';
import { unreadable } from '../read/unpack-failure.ts';
import { gunzip } from './gunzip.ts';

/** With what files begin. */
const gzipBeginning = Buffer.from([0x1f, 0x8b]);
const tarMark = { at: 257, text: 'ustar' } as const;

/** Returns the first bytes of a file. */
async function readHead(file: string, bytes = 512): Promise<Buffer> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
  return buffer.subarray(0, bytesRead);
}

const isGzip = (head: Buffer): boolean => head.subarray(0, 2).equals(gzipBeginning);

export const isTar = (head: Buffer): boolean =>
  head.subarray(tarMark.at, tarMark.at + tarMark.text.length).toString('latin1') === tarMark.text;

/** Opens a file, and unpacks it if it is packed by gzip. */
export async function openUnpacked(file: string): Promise<Readable> {
  const content = createReadStream(file);
  return isGzip(await readHead(file, 2)) ? gunzip(undefined, content) : content;
}

/** Returns with what a file begins once it is unpacked. */
export async function readUnpackedHead(file: string): Promise<Buffer> {
  const content = await openUnpacked(file);
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of content) {
      chunks.push(chunk as Buffer);
      if (chunks.reduce((sum, { length }) => sum + length, 0) >= 512) break;
    }
    return Buffer.concat(chunks).subarray(0, 512);
  } catch (error) {
    throw unreadable(error);
  } finally {
    content.destroy();
  }
}

/**
 * Yields the files of a tar file, packed by gzip or not, in their order. Folders are passed over.
 *
 * @throws ArchiveRefused for what cannot be unpacked, a link or a device, and a path that leads out of the archive
 */
export async function* readTarFiles(archive: string): AsyncGenerator<ArchiveFile> {
  for await (const { type, path, ...file } of readTar(await openUnpacked(archive))) {
    if (type !== 'directory') yield { path: insidePath(path, type ?? 'file'), ...file };
  }
}

/** Returns the path of a file within an archive. */
function insidePath(name: string, type: string): string {
  if (type !== 'file') throw refused('not_file', { path: name });
  const path = name.replace(/^(?:\.\/)+/, '');
  const leadsOut = path.startsWith('/') || path.includes('\\') || path.split('/').includes('..');
  if (leadsOut) throw refused('leads_out', { path: name });
  return path;
}
