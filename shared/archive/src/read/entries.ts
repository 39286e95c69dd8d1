import { createReadStream } from 'node:fs';
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';

import { extract } from 'tar-stream';

import { refused } from './refused.ts';
import { unreadable } from './unpack-failure.ts';

/** The largest manifest or file of checksums that is read into memory. */
const memoryBytesMax = 16 * 1024 * 1024;
/** What is unpacked at once: by the usual 16 KiB, an archive takes three times as long. */
const chunkSize = 64 * 1024;
/** The longest row. The longest that an export writes has a tenth of it. */
const lineLengthMax = 16 * 1024 * 1024;

/** A file of an archive. Its content is read to the end, or left alone, before the next file comes. */
export interface ArchiveFile {
  path: string;
  bytes: number;
  content: Readable;
}

/**
 * Yields the files of an archive, in their order. Memory holds a piece of one of them.
 *
 * @throws ArchiveRefused for what cannot be unpacked, and for a link, a device or a folder
 */
export async function* readFiles(archive: string): AsyncGenerator<ArchiveFile> {
  for await (const { type, path, ...file } of readTar(
    createReadStream(archive, { highWaterMark: chunkSize }),
    createGunzip({ chunkSize }),
  )) {
    if (type !== 'file') throw refused('not_file', { path });
    yield { path, ...file };
  }
}

/** What a tar file has: a file, or a folder, a link, a device. */
interface TarEntry extends ArchiveFile {
  /** Null for a kind that is not known. */
  type: string | null;
}

/**
 * Yields what a tar file has, in its order, as it comes out of streams that lead into each other.
 *
 * @throws ArchiveRefused for what cannot be unpacked
 */
export async function* readTar(source: Readable, ...through: Duplex[]): AsyncGenerator<TarEntry> {
  const files = extract();
  let failure: Error | undefined;
  // A failure of what comes before it ends the reading of files.
  pipeline([source, ...through, files as unknown as NodeJS.WritableStream], (error) => {
    failure ??= error ?? undefined;
  });
  const entries = files[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await entries.next().catch((error: unknown) => {
        throw unreadable(failure ?? error);
      });
      if (next.done === true) break;
      const { name, size, type } = next.value.header;
      const content = next.value as unknown as Readable;
      yield { path: name, bytes: size, type: type ?? null, content };
      content.resume();
    }
  } finally {
    source.destroy();
    files.destroy();
  }
  if (failure !== undefined) throw unreadable(failure);
}

/** Returns a file's content as a whole. Throws ArchiveRefused if it is too large for what it is. */
export async function readWhole({ path, bytes, content }: ArchiveFile): Promise<Buffer> {
  if (bytes > memoryBytesMax) throw refused('file_large', { path, mebibytes: memoryBytesMax / 2 ** 20 });
  return await buffer(content).catch((error: unknown) => {
    throw unreadable(error);
  });
}

/**
 * Yields the lines of a file.
 *
 * @throws ArchiveRefused for a line that is empty or too long, and for bytes that are no text
 */
export async function* readLines({ path, content }: ArchiveFile): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let begun: string[] = [];
  let [number, length] = [1, 0];
  for await (const chunk of readChunks(content)) {
    const [first = '', ...others] = decode(path, () => decoder.decode(chunk, { stream: true })).split('\n');
    begun.push(first);
    length += first.length;
    for (const next of others) {
      const line = begun.join('');
      if (line === '') throw refused('line_empty', { path, line: number });
      yield line;
      [begun, length, number] = [[next], next.length, number + 1];
    }
    if (length > lineLengthMax)
      throw refused('too_long', { path, line: number, mebibytes: lineLengthMax / 2 ** 20 });
  }
  if (length > 0 || decode(path, () => decoder.decode()) !== '') {
    throw refused('ends_early', { path, line: number });
  }
}

/** Yields the bytes of a file. What cannot be unpacked is refused as damaged. */
export async function* readChunks(content: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of content) yield chunk as Buffer;
  } catch (error) {
    throw unreadable(error);
  }
}

function decode(path: string, read: () => string): string {
  try {
    return read();
  } catch {
    throw refused('not_text', { path });
  }
}
