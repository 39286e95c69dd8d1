import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readChunks } from '../../read/entries.ts';
import { refused } from '../../read/refused.ts';
import { type Json, stringOf } from '../json.ts';
import { openUnpacked } from '../tar-files.ts';
import { type Collection, collectionOf } from './collections.ts';
import { Pieces } from './documents.ts';
import { NoDocument, readElements } from './elements.ts';

/** With what a file of `mongodump --archive` begins, and what ends its sections. */
const marks = { archive: 0x81_99_e2_6d | 0, end: -1 } as const;

/** Bytes of collections that are in memory before they are written. */
const bytesMax = 4 * 1024 * 1024;

export const isDumpArchive = (head: Buffer): boolean =>
  head.length >= 4 && head.readInt32LE() === marks.archive;

/** A collection that was written into a file of its own. */
interface Unpacked {
  database: string;
  collection: Collection;
  file: string;
}

/**
 * Writes the collections of a file of `mongodump --archive` into files of a folder: it holds them in turns, and which database
 * is Rocket.Chat's is known at its end.
 */
export async function unpackDumpArchive(archive: string, folder: string): Promise<Unpacked[]> {
  const unpacking = new Unpacking(folder);
  for await (const chunk of readChunks(await openUnpacked(archive))) {
    unpacking.add(chunk);
    if (unpacking.pending > bytesMax) await unpacking.write();
  }
  await unpacking.write();
  const unpacked = unpacking.end();
  // A collection without documents has a file, too.
  for (const { file } of unpacked) await appendFile(file, '', { mode: 0o600 });
  return unpacked;
}

/** A section of the file: what it begins with, lists of collections, or documents of one of them. */
type Section = 'begin' | 'lists' | 'header' | { namespace: Namespace; isEnd: boolean };

interface Namespace extends Unpacked {
  isWanted: boolean;
  chunks: Buffer[];
}

class Unpacking {
  readonly #folder: string;
  readonly #pieces = new Pieces();
  readonly #namespaces = new Map<string, Namespace>();
  #section: Section = 'begin';
  pending = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  add(chunk: Buffer): void {
    this.#pieces.add(chunk);
    while (this.#step());
  }

  async write(): Promise<void> {
    for (const one of this.#namespaces.values()) {
      if (one.chunks.length === 0) continue;
      await appendFile(one.file, Buffer.concat(one.chunks), { mode: 0o600 });
      one.chunks = [];
    }
    this.pending = 0;
  }

  end(): Unpacked[] {
    if (this.#section !== 'header' || !this.#pieces.isEmpty) {
      throw refused('ends_early', { byte: this.#pieces.offset });
    }
    return [...this.#namespaces.values()].filter(({ isWanted }) => isWanted);
  }

  /** Takes one document or mark. Answers whether there may be more. */
  #step(): boolean {
    const { number, offset } = this.#pieces;
    if (number === undefined) return false;
    if (this.#section === 'begin') {
      if (number !== marks.archive) throw refused('no_dump', { byte: 0 });
      this.#pieces.take(4);
      this.#section = 'lists';
      return true;
    }
    if (number === marks.end) {
      if (this.#section === 'header') throw refused('no_dump', { byte: offset });
      this.#pieces.take(4);
      this.#section = 'header';
      return true;
    }
    const document = this.#pieces.takeDocument();
    if (!document) return false;
    if (this.#section === 'header') this.#section = this.#begin(document, offset);
    else if (this.#section !== 'lists') this.#keep(this.#section, document, offset);
    return true;
  }

  #begin(document: Buffer, offset: number): Section {
    const { database, name, isEnd } = headerOf(document, offset);
    const key = `${database}.${name}`;
    const collection = collectionOf(name);
    const file = join(this.#folder, `collection-${this.#namespaces.size}`);
    const namespace = this.#namespaces.get(key) ?? {
      database,
      collection: collection ?? 'users',
      file,
      isWanted: collection !== undefined,
      chunks: [],
    };
    this.#namespaces.set(key, namespace);
    return { namespace, isEnd };
  }

  #keep({ namespace, isEnd }: Section & object, document: Buffer, offset: number): void {
    if (isEnd) throw refused('no_dump', { byte: offset });
    if (!namespace.isWanted) return;
    namespace.chunks.push(document);
    this.pending += document.length;
  }
}

function headerOf(document: Buffer, offset: number): { database: string; name: string; isEnd: boolean } {
  let header: Json;
  try {
    header = readElements(document, 0);
  } catch (error) {
    if (!(error instanceof NoDocument)) throw error;
    throw refused('no_dump', { byte: offset });
  }
  const [database, name] = [stringOf(header['db']), stringOf(header['collection'])];
  if (name === '') throw refused('no_dump', { byte: offset });
  return { database, name, isEnd: header['EOF'] === true };
}
