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
import { ArchiveRefused, damaged } from './damaged.ts';
import { type ArchiveFile, readWhole, shown } from './entries.ts';
import type { Member } from './members.ts';

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
    if (!this.#manifest) throw new ArchiveRefused('This is not an archive of an organization.');
    return this.#manifest;
  }

  /** Adds a file that was read. */
  add({ path, bytes }: ArchiveFile, sha256: string): void {
    this.#count();
    if (this.#paths.has(path)) throw damaged(`${shown(path)} occurs twice`);
    if (this.#pending.length >= filesPerPartMax) throw damaged('a part has too many files');
    this.#paths.add(path);
    this.#pending.push({ path, bytes, sha256 });
  }

  /** Reads the manifest, with which an archive begins. */
  async readManifest(file: ArchiveFile): Promise<void> {
    if (file.path !== manifestPath || this.#manifest) {
      throw this.#manifest
        ? damaged(`${manifestPath} occurs twice`)
        : new ArchiveRefused('This is not an archive of an organization.');
    }
    const content = await readWhole(file);
    this.#manifest = parseManifest(content, file.path);
    this.#manifestSum = sha256(content);
    for (const part of this.#manifest.parts) this.#left.set(part.number, part.sha256);
    if (this.#left.size < this.#manifest.parts.length) throw damaged('its manifest names a part twice');
    this.add(file, this.#manifestSum);
  }

  /** Refuses rows that are not of the part that is being read, or in another order. */
  assertContinues(file: ArchiveFile, { part, table, chunk }: Member & { kind: 'rows' }): void {
    const isFirst = chunk === 0 || this.#paths.has(file.path.replace(/\d+(?=\.ndjson$)/, padded(chunk - 1)));
    if (part <= this.#part || !isFirst) throw damaged(`${table} of part ${part} is not in its place`);
  }

  /** Reads the end of a part, and compares with it what has come since the last. */
  async endPart(file: ArchiveFile, number: number): Promise<void> {
    this.#count();
    const checksums = await readWhole(file);
    // The part that holds the manifest is not listed in it.
    const expected =
      this.#left.get(number) ?? (number === partNumbers.manifest ? sha256(checksums) : undefined);
    if (expected === undefined || number <= this.#part) {
      throw damaged(`part ${number} occurs twice, or there are too many parts`);
    }
    if (sha256(checksums) !== expected) throw damaged(`part ${number} does not match its checksum`);
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
      throw new ArchiveRefused('This is not an archive of an organization.');
    }
    if (this.#hasEnd && kind !== 'checksums') throw damaged(`${shown(path)} comes after the end`);
  }

  end(): Verified {
    if (this.#files === 0)
      throw new ArchiveRefused('This is not an archive of an organization: the file is empty.');
    const [pending] = this.#pending;
    if (this.#left.size > 0 || !this.#hasEnd) {
      throw damaged(`it is incomplete: ${this.#left.size} parts are missing`);
    }
    if (pending) throw damaged(`${shown(pending.path)} belongs to no part`);
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
    if (file?.path !== entry.path) throw damaged(`${shown(entry.path)} is missing`);
    if (file.bytes !== entry.bytes || file.sha256 !== entry.sha256) {
      throw damaged(`${shown(entry.path)} has been changed`);
    }
    const data = /^data\/(\d+)\//.exec(entry.path)?.[1];
    if (data !== undefined && Number(data) !== part) throw damaged(`${shown(entry.path)} is in another part`);
  }
  const more = found[expected.length];
  if (more) throw damaged(`${shown(more.path)} does not belong to the archive`);
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

function parseManifest(content: Buffer, path: string): Manifest {
  const about = parseJsonObject(content);
  if (about?.['format'] !== formatName)
    throw new ArchiveRefused('This is not an archive of an organization.');
  if (about['version'] !== formatVersion) {
    const version = shown(JSON.stringify(about['version'] ?? null));
    const text = `The archive has the format version ${version}, but this version of Parley reads version ${formatVersion}.`;
    throw new ArchiveRefused(text);
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
  if (!parsed.success) throw damaged(`${path} cannot be read`);
  return parsed.data;
}
