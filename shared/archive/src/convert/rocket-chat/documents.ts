import type { Readable } from 'node:stream';

import type { ArchivePlace } from '@parley/protocol';

import { ArchiveRefused, refused } from '../../read/refused.ts';
import { unreadable } from '../../read/unpack-failure.ts';
import type { Json } from '../json.ts';
import { NoDocument, readElements } from './elements.ts';

/** The largest document: MongoDB stores 16 MiB, and allows its own a little more. */
const documentBytes = { min: 5, max: 16 * 1024 * 1024 + 16 * 1024 } as const;

/** Bytes of a file that are taken from its beginning as they come. */
export class Pieces {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #offset = 0;

  /** How many bytes of the file have been taken. */
  get offset(): number {
    return this.#offset;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  /** Returns the number that comes next, without taking it; undefined if it is not there yet. */
  get number(): number | undefined {
    return this.#first(4)?.readInt32LE();
  }

  /** Takes bytes; undefined if not all of them are there yet. */
  take(bytes: number): Buffer | undefined {
    const first = this.#first(bytes);
    if (!first) return undefined;
    this.#chunks[0] = first.subarray(bytes);
    this.#bytes -= bytes;
    this.#offset += bytes;
    return first.subarray(0, bytes);
  }

  /** Returns a chunk that has at least so many bytes. */
  #first(bytes: number): Buffer | undefined {
    if (this.#bytes < bytes) return undefined;
    if ((this.#chunks[0]?.length ?? 0) < bytes) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0];
  }

  /** Takes the document that comes next; undefined if not all of it is there yet. */
  takeDocument(path?: string): Buffer | undefined {
    const { number: bytes } = this;
    if (bytes === undefined) return undefined;
    if (bytes < documentBytes.min || bytes > documentBytes.max) {
      throw refused('no_bson', { path, byte: this.#offset });
    }
    return this.take(bytes);
  }
}

/** A document, and what is said of where it is. */
export interface Found {
  document: Json;
  readonly where: () => ArchivePlace;
}

/**
 * Yields the documents of a file, some at a time.
 *
 * @throws ArchiveRefused for what is no document, naming the file, the document and the byte at which it begins
 */
export async function* readDocuments(
  path: string,
  content: Readable,
  wanted?: ReadonlySet<string>,
): AsyncGenerator<Found[]> {
  const pieces = new Pieces();
  let number = 0;
  for await (const chunk of chunksOf(path, content)) {
    pieces.add(chunk);
    const found: Found[] = [];
    for (;;) {
      const { offset } = pieces;
      const bytes = pieces.takeDocument(path);
      if (!bytes) break;
      number += 1;
      const ordinal = number;
      const where = () => ({ path, document: ordinal, byte: offset });
      found.push({ document: read(bytes, where, wanted), where });
    }
    if (found.length > 0) yield found;
  }
  if (!pieces.isEmpty) throw refused('ends_early', { path, document: number + 1 });
}

function read(bytes: Buffer, where: () => ArchivePlace, wanted?: ReadonlySet<string>): Json {
  try {
    return readElements(bytes, 0, wanted);
  } catch (error) {
    if (error instanceof ArchiveRefused) throw error;
    throw refused(error instanceof NoDocument ? error.code : 'no_bson', where());
  }
}

async function* chunksOf(path: string, content: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of content) yield chunk as Buffer;
  } catch (error) {
    throw unreadable(error, path);
  }
}
