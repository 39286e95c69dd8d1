import { createHash } from 'node:crypto';

import type { z } from 'zod';

import {
  Checksums,
  type Entry,
  Manifest,
  formatName,
  formatVersion,
  manifestPath,
  partNumbers,
} from '../manifest.ts';
import { type ArchiveFile, readWhole } from './entries.ts';
import type { Member } from './members.ts';
import { refused } from './refused.ts';

/** Files of a part. One that an export writes has some thousands. */
const filesPerPartMax = 200_000;

/** An archive of which all was compared with its checksums. */
export interface Verified {
  manifest: Manifest;
  /** The checksum of the manifest, which names the archive. */
  archive: string;
  /** The number of files in it. */
  files: number;
}

/** Compares the files of an archive, as they come, with the checksums of their parts. */
export class PartCheck {
  #manifest: Manifest | undefined;
  #manifestSum = '';
  #files = 0;
  #pending: Entry[] = [];
  /** The paths of what is pending. */
  readonly #paths = new Set<string>();
  readonly #left = new Map<number, string>();
  #part = -1;
  #hasEnd = false;

  get manifest(): Manifest {
    if (!this.#manifest) throw refused('no_archive');
    return this.#manifest;
  }

  /** Adds a file that was read. */
  add({ path, bytes }: ArchiveFile, sha256: string): void {
    this.#count();
    if (this.#paths.has(path)) throw refused('file_twice', { path });
    if (this.#pending.length >= filesPerPartMax) throw refused('other_parts');
    this.#paths.add(path);
    this.#pending.push({ path, bytes, sha256 });
  }

  /** Reads the manifest, with which an archive begins. */
  async readManifest(file: ArchiveFile): Promise<void> {
    if (file.path !== manifestPath || this.#manifest) {
      throw this.#manifest ? refused('file_twice', { path: manifestPath }) : refused('no_archive');
    }
    const content = await readWhole(file);
    this.#manifest = parseManifest(content, file.path);
    this.#manifestSum = sha256(content);
    for (const part of this.#manifest.parts) this.#left.set(part.number, part.sha256);
    if (this.#left.size < this.#manifest.parts.length) throw refused('other_parts');
    this.add(file, this.#manifestSum);
  }

  /** Refuses rows that are not of the part that is being read, or in another order. */
  assertContinues(file: ArchiveFile, { part, chunk }: Member & { kind: 'rows' }): void {
    const isFirst = chunk === 0 || this.#paths.has(file.path.replace(/\d+(?=\.ndjson$)/, padded(chunk - 1)));
    if (part <= this.#part || !isFirst) throw refused('file_misplaced', { path: file.path });
  }

  /** Reads the end of a part, and compares with it what has come since the last. */
  async endPart(file: ArchiveFile, number: number): Promise<void> {
    this.#count();
    const checksums = await readWhole(file);
    // The part that holds the manifest is not listed in it.
    const expected =
      this.#left.get(number) ?? (number === partNumbers.manifest ? sha256(checksums) : undefined);
    if (expected === undefined || number <= this.#part) {
      throw refused('other_parts');
    }
    if (sha256(checksums) !== expected) throw refused('part_changed', { part: number });
    compare(parseJson(Checksums, checksums, file.path).entries, this.#pending, number);
    this.#left.delete(number);
    this.#pending = [];
    this.#paths.clear();
    this.#part = number;
  }

  noteEnd(): void {
    this.#hasEnd = true;
  }

  /** Refuses what comes before the manifest, and what comes after the end but for its checksums. */
  assertGoesOn({ path }: ArchiveFile, { kind }: Member): void {
    if (!this.#manifest && kind !== 'manifest') {
      throw refused('no_archive');
    }
    if (this.#hasEnd && kind !== 'checksums') throw refused('file_misplaced', { path });
  }

  end(): Verified {
    if (this.#files === 0) throw refused('no_archive');
    const [pending] = this.#pending;
    if (this.#left.size > 0 || !this.#hasEnd) {
      throw refused('incomplete', { count: this.#left.size });
    }
    if (pending) throw refused('file_foreign', { path: pending.path });
    return { manifest: this.manifest, archive: this.#manifestSum, files: this.#files };
  }

  #count(): void {
    this.#files += 1;
  }
}

const padded = (chunk: number) => String(chunk).padStart(6, '0');

function compare(expected: readonly Entry[], found: readonly Entry[], part: number): void {
  for (const [index, entry] of expected.entries()) {
    const file = found[index];
    if (file?.path !== entry.path) throw refused('file_missing', { path: entry.path });
    if (file.bytes !== entry.bytes || file.sha256 !== entry.sha256) {
      throw refused('file_changed', { path: entry.path });
    }
    const data = /^data\/(\d+)\//.exec(entry.path)?.[1];
    if (data !== undefined && Number(data) !== part) throw refused('file_misplaced', { path: entry.path });
  }
  const more = found[expected.length];
  if (more) throw refused('file_foreign', { path: more.path });
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

function parseManifest(content: Buffer, path: string): Manifest {
  const about = parseJsonObject(content);
  if (about?.['format'] !== formatName) throw refused('no_archive');
  if (about['version'] !== formatVersion) {
    const version = JSON.stringify(about['version'] ?? null);
    throw refused('other_format', { version, known: formatVersion });
  }
  return parseJson(Manifest, content, path);
}

function parseJsonObject(content: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(content.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function parseJson<Value>(schema: z.ZodType<Value>, content: Buffer, path: string): Value {
  const parsed = schema.safeParse(parseJsonObject(content));
  if (!parsed.success) throw refused('file_unreadable', { path });
  return parsed.data;
}
