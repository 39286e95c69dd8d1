import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { ZipFile } from 'yazl';

/** A file of an archive that is made when its turn comes. */
export interface LazyFile {
  path: string;
  readonly content: () => Buffer;
}

/** Writes a ZIP archive of which one file at a time is in memory. */
export async function writeZip(file: string, files: Iterable<LazyFile>): Promise<void> {
  const zip = new ZipFile();
  const mtime = new Date(0);
  for (const { path, content } of files) {
    zip.addReadStreamLazy(path, { mtime }, (done) => {
      done(null, Readable.from([content()], { objectMode: false }));
    });
  }
  zip.end();
  await pipeline(zip.outputStream as unknown as Readable, createWriteStream(file));
}

/** Returns files with JSON, by their paths. */
export const jsonFiles = (files: Readonly<Record<string, unknown>>): LazyFile[] =>
  Object.entries(files).map(([path, content]) => ({
    path,
    content: () => Buffer.from(JSON.stringify(content, null, 4)),
  }));
