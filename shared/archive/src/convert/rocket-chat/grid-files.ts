import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { refused } from '../../read/refused.ts';
import { stringOf } from '../json.ts';
import type { Found } from './documents.ts';
import type { Dump } from './dump.ts';

/** A file of GridFS: its content lies in pieces, in a collection of its own. */
interface GridFile {
  key: string;
  name: string;
  bytes: number;
  pieceBytes: number;
  /** The bytes that have come. */
  found: number;
  isWritten: boolean;
}

/** Files of a bucket. They are in memory, without their content. */
const filesMax = 5_000_000;

const wantedOfFiles: ReadonlySet<string> = new Set(['_id', 'filename', 'length', 'chunkSize']);

export interface GridOptions {
  dump: Dump;
  bucket: 'rocketchat_uploads' | 'custom_emoji';
  /** The content of larger ones is not looked at. */
  bytesMax: number;
  /** Whether the content is needed, or only whether it is there. */
  isWritten: boolean;
}

/** The files of a bucket of GridFS. Their pieces are written into files of the dump's folder, in whichever order they come. */
export class GridFiles {
  readonly #folder: string;
  readonly #files: ReadonlyMap<string, GridFile>;

  private constructor(folder: string, files: ReadonlyMap<string, GridFile>) {
    this.#folder = folder;
    this.#files = files;
  }

  static async read({ dump, bucket, bytesMax, isWritten }: GridOptions): Promise<GridFiles> {
    const files = new Map<string, GridFile>();
    for await (const batch of dump.read(`${bucket}.files`, wantedOfFiles)) {
      for (const { document } of batch) {
        const key = stringOf(document['_id']);
        const bytes = Number(document['length']);
        if (files.size >= filesMax) throw refused('files_max', { count: filesMax });
        if (key === '' || !Number.isSafeInteger(bytes) || bytes < 0) continue;
        const pieceBytes = Number(document['chunkSize']);
        const name = stringOf(document['filename']);
        files.set(key, { key, name, bytes, pieceBytes, found: 0, isWritten: isWritten && bytes <= bytesMax });
      }
    }
    const read = new GridFiles(dump.folder, files);
    await read.#readPieces(dump, bucket, bytesMax);
    return read;
  }

  /** Returns the size of a file; undefined of one that is not there, or not as a whole. */
  find(key: string): { bytes: number } | undefined {
    const file = this.#files.get(key);
    return file && file.found === file.bytes ? { bytes: file.bytes } : undefined;
  }

  /** Returns what the bucket says of a file, whether its content is there or not. */
  bytesOf(key: string): number | undefined {
    return this.#files.get(key)?.bytes;
  }

  open(key: string): Readable {
    return createReadStream(this.#pathOf(key));
  }

  /** Returns the contents of files by their names. They are small, and what is not whole is left out. */
  async *contents(): AsyncGenerator<{ name: string; content: Buffer }> {
    for (const { key, name, bytes, isWritten, found } of this.#files.values()) {
      if (isWritten && found === bytes && bytes > 0)
        yield { name, content: await readFile(this.#pathOf(key)) };
    }
  }

  #pathOf(key: string): string {
    return join(this.#folder, `file-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`);
  }

  async #readPieces(dump: Dump, bucket: GridOptions['bucket'], bytesMax: number): Promise<void> {
    await using writer = new PieceWriter();
    for await (const batch of dump.read(`${bucket}.chunks`)) {
      for (const found of batch) {
        const file = this.#files.get(stringOf(found.document['files_id']));
        if (!file || file.bytes > bytesMax) continue;
        const { at, data } = pieceOf(file, found);
        file.found += data.length;
        if (file.isWritten) await writer.write(this.#pathOf(file.key), data, at);
      }
    }
  }
}

/** Returns the content of a piece, and where in its file it lies. @throws ArchiveRefused for one that lies nowhere in it */
function pieceOf({ bytes, pieceBytes }: GridFile, { document, where }: Found): { at: number; data: Buffer } {
  const { n, data } = document;
  const at = Number(n) * pieceBytes;
  const isInside = Buffer.isBuffer(data) && Number.isSafeInteger(at) && at >= 0 && at + data.length <= bytes;
  if (!isInside) throw refused('no_piece', where());
  return { at, data };
}

/** Writes pieces of files. The file of the last piece stays open: most pieces of a file follow each other. */
class PieceWriter implements AsyncDisposable {
  #path = '';
  #file: FileHandle | undefined;

  async write(path: string, data: Buffer, at: number): Promise<void> {
    if (path !== this.#path) {
      await this.#file?.close();
      this.#file = undefined;
      // Without the flag that empties it: its other pieces may be there.
      this.#file = await open(path, 'r+', 0o600).catch(() => open(path, 'w+', 0o600));
      this.#path = path;
    }
    await this.#file?.write(data, 0, data.length, at);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }
}
