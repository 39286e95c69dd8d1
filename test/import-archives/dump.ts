import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';

import { serialize } from 'bson';
import { pack } from 'tar-stream';

/** The documents of a database, by their collections. */
export type Database = Readonly<Record<string, readonly object[]>>;

/** A file of an archive. */
export interface DumpFile {
  path: string;
  content: Buffer;
}

const bytesOf = (documents: readonly object[]): Buffer =>
  Buffer.concat(documents.map((document) => Buffer.from(serialize(document))));

/** Returns the files that mongodump writes of a database. */
export function dumpFiles(database: Database, { isPacked = false, name = 'rocketchat' } = {}): DumpFile[] {
  const ending = isPacked ? '.gz' : '';
  const packed = (content: Buffer) => (isPacked ? gzipSync(content) : content);
  return Object.entries(database).flatMap(([collection, documents]) => [
    { path: `dump/${name}/${collection}.bson${ending}`, content: packed(bytesOf(documents)) },
    { path: `dump/${name}/${collection}.metadata.json${ending}`, content: packed(Buffer.from('{}')) },
  ]);
}

export async function writeFolder(folder: string, files: readonly DumpFile[]): Promise<void> {
  for (const { path, content } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** Writes files as a tar file that gzip packs, with their folders. */
export async function writeTar(file: string, files: readonly DumpFile[]): Promise<void> {
  const tar = pack();
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) {
    tar.entry({ name: `${folder}/`, type: 'directory' });
  }
  for (const { path, content } of files) tar.entry({ name: path }, content);
  tar.finalize();
  await pipeline(tar as unknown as NodeJS.ReadableStream, createGzip(), createWriteStream(file));
}

const end = Buffer.from([0xff, 0xff, 0xff, 0xff]);

/** Returns what `mongodump --archive` writes: the collections in turns, a few documents of each at a time. */
export function dumpArchive(database: Database, { name = 'rocketchat', atOnce = 3 } = {}): Buffer {
  const header = (collection: string, isEnd: boolean) =>
    Buffer.from(serialize({ db: name, collection, EOF: isEnd, CRC: 0 }));
  const lists = Object.keys(database).map((collection) =>
    Buffer.from(serialize({ db: name, collection, metadata: '{}', size: 0 })),
  );
  const sections: Buffer[] = [];
  const left = new Map(
    Object.entries(database).map(([collection, documents]) => [collection, [...documents]]),
  );
  while (left.size > 0) {
    for (const [collection, documents] of left) {
      const next = documents.splice(0, atOnce);
      if (next.length > 0) sections.push(header(collection, false), bytesOf(next), end);
      else {
        sections.push(header(collection, true), end);
        left.delete(collection);
      }
    }
  }
  const version = serialize({ concurrent_collections: 4, version: '0.1', server_version: '7.0.0' });
  return Buffer.concat([Buffer.from([0x6d, 0xe2, 0x99, 0x81]), version, ...lists, end, ...sections]);
}
