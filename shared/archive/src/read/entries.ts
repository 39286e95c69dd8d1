import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';

import { extract } from 'tar-stream';

import { ArchiveRefused, damaged } from './damaged.ts';

/** The largest file of rows, manifest or checksums that is read into memory. */
const memoryBytesMax = 128 * 1024 * 1024;

/** A file of an archive. Its content is read to the end, or left alone, before the next file comes. */
export interface ArchiveFile {
  path: string;
  bytes: number;
  content: Readable;
}

/** Yields the files of an archive, in their order. */
export async function* readFiles(archive: string): AsyncGenerator<ArchiveFile> {
  const files = extract();
  const source = createReadStream(archive);
  let failure: Error | undefined;
  // A failure of what comes before it ends the reading of files.
  pipeline(source, createGunzip(), files as unknown as NodeJS.WritableStream, (error) => {
    failure ??= error ?? undefined;
  });
  try {
    for await (const entry of files) {
      const { name, size, type } = entry.header;
      if (type !== 'file') throw damaged(`${name} is not a file`);
      const content = entry as unknown as Readable;
      yield { path: name, bytes: size, content };
      content.resume();
    }
  } finally {
    source.destroy();
  }
  if (failure !== undefined) throw failure;
}

/** Runs what reads an archive. What cannot be unpacked is refused as damaged. */
export async function reading<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof ArchiveRefused) throw error;
    const code = 'code' in error ? String(error.code) : '';
    const isUnreadable = /^(?:Z_|ERR_STREAM_PREMATURE_CLOSE)/.test(code) || tarFailures.test(error.message);
    throw isUnreadable ? damaged(`it cannot be decompressed (${error.message})`) : error;
  }
}

const tarFailures = /tar header|unexpected end|premature close|writable stream closed/i;

/** Returns a file's content as a whole. Throws ArchiveRefused if it is too large for what it is. */
export async function readWhole({ path, bytes, content }: ArchiveFile): Promise<Buffer> {
  if (bytes > memoryBytesMax) throw damaged(`${path} is too large`);
  return await buffer(content);
}
