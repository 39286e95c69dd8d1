import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform, pipeline } from 'node:stream';
import { pipeline as pipelineOf } from 'node:stream/promises';

import { type WorkFolder, makeWorkFolder } from '@parley/kit';

import { refused } from '../../read/refused.ts';
import { unreadable } from '../../read/unpack-failure.ts';
import { gunzip } from '../gunzip.ts';
import { readTarFiles, readUnpackedHead } from '../tar-files.ts';
import { ZipFiles } from '../zip-files.ts';
import { type Collection, Databases, placeOf } from './collections.ts';
import { type Found, readDocuments } from './documents.ts';
import { isDumpArchive, unpackDumpArchive } from './dump-archive.ts';

/** How deep the folder of a database lies in that of a dump. */
const depthMax = 3;
const zipBeginning = 'PK\u0003\u0004';

/** A file of a dump with one collection. */
interface DumpFile {
  path: string;
  bytes: number;
  isPacked: boolean;
  readonly open: () => Promise<Readable>;
}

/** How much of a file has been read. */
export interface Reading {
  done: number;
  of: number;
}

/** A dump of Rocket.Chat's database, whatever it is packed in. */
export class Dump implements Disposable {
  readonly #files: ReadonlyMap<Collection, DumpFile>;
  readonly #zip: ZipFiles | undefined;
  /** A folder for temporary files, which is removed when the dump is disposed of. */
  readonly #folder: WorkFolder;

  private constructor(files: ReadonlyMap<Collection, DumpFile>, folder: WorkFolder, zip?: ZipFiles) {
    this.#files = files;
    this.#zip = zip;
    this.#folder = folder;
  }

  /** @throws ArchiveRefused for what is no dump of Rocket.Chat's database, and for what cannot be unpacked */
  static async open(archive: string): Promise<Dump> {
    const folder = await makeWorkFolder('convert');
    let zip: ZipFiles | undefined;
    try {
      if ((await stat(archive)).isDirectory()) return new Dump(await inFolder(archive), folder);
      const head = await readUnpackedHead(archive);
      if (head.toString('latin1').startsWith(zipBeginning)) {
        zip = await ZipFiles.open(archive);
        return new Dump(inZip(zip), folder, zip);
      }
      const files = isDumpArchive(head)
        ? await inArchive(archive, folder.path)
        : await inTar(archive, folder.path);
      return new Dump(files, folder);
    } catch (error) {
      zip?.[Symbol.dispose]();
      folder[Symbol.dispose]();
      throw error;
    }
  }

  get folder(): string {
    return this.#folder.path;
  }

  has(collection: Collection): boolean {
    return this.#files.has(collection);
  }

  /** Yields the documents of a collection, some at a time; nothing if it is not there. */
  async *read(
    collection: Collection,
    wanted?: ReadonlySet<string>,
    reading: Reading = { done: 0, of: 0 },
  ): AsyncGenerator<Found[]> {
    const file = this.#files.get(collection);
    if (!file) return;
    reading.of = file.bytes;
    const counted = new Transform({
      transform(chunk: Buffer, _, done) {
        reading.done += chunk.length;
        done(null, chunk);
      },
    });
    const opened = await file.open();
    const content = pipeline(opened, counted, () => undefined);
    try {
      yield* readDocuments(file.path, file.isPacked ? gunzip(file.path, content) : content, wanted);
    } finally {
      opened.destroy();
    }
  }

  [Symbol.dispose](): void {
    this.#zip?.[Symbol.dispose]();
    this.#folder[Symbol.dispose]();
  }
}

/** Returns the paths of the files in a folder, without those of links. */
export async function listFolder(folder: string, below = '', depth = 0): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isFile()) paths.push(path);
    else if (entry.isDirectory() && depth < depthMax)
      paths.push(...(await listFolder(folder, path, depth + 1)));
  }
  return paths;
}

async function inFolder(folder: string): Promise<ReadonlyMap<Collection, DumpFile>> {
  const found = new Databases<DumpFile>();
  for (const path of await listFolder(folder)) {
    const place = placeOf(path);
    if (!place) continue;
    const file = join(folder, path);
    found.add(place.database, place.collection, await onDisk(path, file, place.isPacked));
  }
  return found.choose();
}

const onDisk = async (path: string, file: string, isPacked: boolean): Promise<DumpFile> => ({
  path,
  bytes: (await stat(file)).size,
  isPacked,
  open: async () => createReadStream(file),
});

function inZip(zip: ZipFiles): ReadonlyMap<Collection, DumpFile> {
  const found = new Databases<DumpFile>();
  for (const path of zip.paths) {
    const place = placeOf(path);
    if (!place) continue;
    const open = async () => {
      const content = await zip.open(path);
      if (!content) throw refused('file_missing', { path: path });
      return content;
    };
    const bytes = zip.bytesOf(path) ?? 0;
    found.add(place.database, place.collection, { path, bytes, isPacked: place.isPacked, open });
  }
  return found.choose();
}

/** Unpacks what is read of a tar file: its files can be read once and in their order only. */
async function inTar(archive: string, folder: string): Promise<ReadonlyMap<Collection, DumpFile>> {
  const found = new Databases<DumpFile>();
  let number = 0;
  for await (const { path, content } of readTarFiles(archive)) {
    const place = placeOf(path);
    if (!place) continue;
    number += 1;
    const file = join(folder, `collection-${number}`);
    await pipelineOf(content, createWriteStream(file, { mode: 0o600 })).catch((error: unknown) => {
      throw unreadable(error);
    });
    found.add(place.database, place.collection, await onDisk(path, file, place.isPacked));
  }
  return found.choose();
}

async function inArchive(archive: string, folder: string): Promise<ReadonlyMap<Collection, DumpFile>> {
  const found = new Databases<DumpFile>();
  for (const { database, collection, file } of await unpackDumpArchive(archive, folder)) {
    found.add(database, collection, await onDisk(`${database}.${collection}`, file, false));
  }
  return found.choose();
}
