import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { type Pack, pack } from 'tar-stream';

import type { LazyFile } from './zip.ts';

/** Writes a compressed tar file of which one file at a time is in memory. */
export async function writeLazyTar(
  file: string,
  files: Iterable<LazyFile>,
  folders: readonly string[] = [],
): Promise<void> {
  const packed = pack();
  const written = pipeline(packed as unknown as Readable, createGzip({ level: 6 }), createWriteStream(file));
  const add = async (header: Parameters<Pack['entry']>[0], content: string | Buffer) =>
    await new Promise<void>((resolve, reject) => {
      packed.entry(header, content, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  for (const name of folders) await add({ name, type: 'directory' }, '');
  for (const { path, content } of files) {
    await add({ name: path, mtime: new Date(0) }, content());
  }
  packed.finalize();
  await written;
}
