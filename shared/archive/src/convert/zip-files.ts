import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';

import { Entry, type ZipFile, openPromise } from 'yauzl';

import { refused } from '../read/refused.ts';
import { unreadable } from '../read/unpack-failure.ts';
import { compression } from './gunzip.ts';

/** What an archive may have: files, and bytes of one that is read as a whole. */
const entriesMax = 1_000_000;
const jsonBytesMax = 64 * 1024 * 1024;

/** The files of a ZIP archive by their paths. None of them leads out of it, or is larger than its compression allows. */
export class ZipFiles implements Disposable {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** @throws ArchiveRefused for what cannot be unpacked or would be more than it seems */
  static async open(file: string): Promise<ZipFiles> {
    const zip = await openPromise(file, { autoClose: false, strictFileNames: true }).catch(
      (error: unknown) => {
        throw unreadable(error);
      },
    );
    try {
      return new ZipFiles(zip, await readEntries(zip, (await stat(file)).size));
    } catch (error) {
      zip.close();
      throw unreadable(error);
    }
  }

  get paths(): IterableIterator<string> {
    return this.#entries.keys();
  }

  bytesOf(path: string): number | undefined {
    return this.#entries.get(path)?.uncompressedSize;
  }

  /** Opens a file; undefined if there is none. */
  async open(path: string): Promise<Readable | undefined> {
    const entry = this.#entries.get(path);
    if (!entry) return undefined;
    return await this.#zip.openReadStreamPromise(entry).catch((error: unknown) => {
      throw unreadable(error, path);
    });
  }

  /** Reads JSON as a whole; undefined if there is no such file. */
  async readJson(path: string): Promise<unknown> {
    const entry = this.#entries.get(path);
    if (!entry) return undefined;
    if (entry.uncompressedSize > jsonBytesMax)
      throw refused('file_large', { path, mebibytes: jsonBytesMax / 2 ** 20 });
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of (await this.open(path)) ?? []) chunks.push(chunk as Buffer);
    } catch (error) {
      throw unreadable(error, path);
    }
    return parseJson(path, Buffer.concat(chunks));
  }

  /** Reads a file as a whole. Whoever asks has looked at its size. */
  async readWhole(path: string): Promise<Buffer> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of (await this.open(path)) ?? []) chunks.push(chunk as Buffer);
    } catch (error) {
      throw unreadable(error, path);
    }
    return Buffer.concat(chunks);
  }

  [Symbol.dispose](): void {
    this.#zip.close();
  }
}

async function readEntries(zip: ZipFile, fileBytes: number): Promise<Map<string, Entry>> {
  if (zip.entryCount > entriesMax) throw refused('files_max', { count: entriesMax });
  const entries = new Map<string, Entry>();
  let compressed = 0;
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName;
    if (path.endsWith('/')) continue;
    assertModest(entry);
    if (entries.has(path)) throw refused('file_twice', { path });
    compressed += entry.compressedSize;
    if (compressed > fileBytes) throw refused('overlapping');
    entries.set(path, slim(entry));
  }
  return entries;
}

/** Returns what is needed to read a file. */
function slim(entry: Entry): Entry {
  const { fileName, compressedSize, uncompressedSize, compressionMethod } = entry;
  const { generalPurposeBitFlag, relativeOffsetOfLocalHeader } = entry;
  const needed = { fileName, compressedSize, uncompressedSize, compressionMethod };
  return Object.assign(new Entry(), needed, { generalPurposeBitFlag, relativeOffsetOfLocalHeader });
}

function assertModest({ fileName, compressedSize, uncompressedSize, generalPurposeBitFlag }: Entry): void {
  if ((generalPurposeBitFlag & 1) === 1) throw refused('encrypted', { path: fileName });
  if (uncompressedSize > compression.smallBytes && uncompressedSize > compressedSize * compression.ratioMax) {
    throw refused('compressed', { path: fileName });
  }
}

/** Returns what JSON says. @throws ArchiveRefused with the line at which it cannot be read */
function parseJson(path: string, content: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw refused('not_text', { path });
  }
  try {
    return JSON.parse(text);
  } catch {
    throw refused('no_json', { path, line: brokenLine(text) });
  }
}

/** Returns whether a text that is no JSON would be the beginning of one. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = String(error);
    const position = /position (\d+)/.exec(message)?.[1];
    const isAtEnd = position !== undefined && Number(position) >= text.trimEnd().length;
    return isAtEnd || /end of JSON input|Unterminated string/.test(message);
  }
}

/** Returns the line in which a text stops being JSON. The messages of the parser do not always have it. */
function brokenLine(text: string): number {
  const lines = text.split('\n');
  let [good, bad] = [0, lines.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isBeginning(lines.slice(0, middle).join('\n'))) good = middle;
    else bad = middle;
  }
  return bad;
}
