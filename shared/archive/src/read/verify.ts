import { createHash } from 'node:crypto';

import {
  Checksums,
  type Entry,
  Manifest,
  checksumsPath,
  endPath,
  formatName,
  formatVersion,
  manifestPath,
} from '../manifest.ts';
import { ArchiveRefused, damaged } from './damaged.ts';
import { type ArchiveFile, readFiles, readWhole, reading } from './entries.ts';

export interface Verified {
  manifest: Manifest;
  /** The checksum of the manifest, which names the archive. */
  archive: string;
  /** The number of files in it. */
  files: number;
}

/**
 * Reads an archive from beginning to end and compares all of it with its checksums, a file at a time.
 *
 * Throws ArchiveRefused if it is no archive, is damaged, or is of a version that is not known here.
 */
export const verifyArchive = (archive: string): Promise<Verified> => reading(() => verify(archive));

async function verify(archive: string): Promise<Verified> {
  let manifest: Manifest | undefined;
  let manifestSum = '';
  let files = 0;
  let pending: Entry[] = [];
  const left = new Map<number, string>();
  let hasEnd = false;
  for await (const file of readFiles(archive)) {
    files += 1;
    if (!manifest) {
      const content = await readManifest(file);
      manifest = content.manifest;
      manifestSum = content.sum;
      for (const { number, sha256 } of manifest.parts) left.set(number, sha256);
      pending.push({ path: file.path, bytes: file.bytes, sha256: manifestSum });
      continue;
    }
    if (!file.path.startsWith('parts/')) {
      hasEnd ||= file.path === endPath;
      pending.push({ path: file.path, bytes: file.bytes, sha256: await sumOf(file) });
      continue;
    }
    const checksums = await readWhole(file);
    const number = partOf(file.path);
    // The part that holds the manifest is not listed in it.
    const expected = left.get(number) ?? (number === 0 ? sha256(checksums) : undefined);
    if (expected === undefined) throw damaged(`part ${number} occurs twice, or there are too many parts`);
    if (sha256(checksums) !== expected) throw damaged(`part ${number} does not match its checksum`);
    compare(parseJson(Checksums, checksums, file.path).entries, pending);
    left.delete(number);
    pending = [];
  }
  if (!manifest) throw new ArchiveRefused('This is not an archive of an organization: the file is empty.');
  const missing = [...left.keys()];
  if (missing.length > 0 || !hasEnd) throw damaged(`it is incomplete: ${missing.length} parts are missing`);
  if (pending.length > 0) throw damaged(`${pending[0]?.path} belongs to no part`);
  return { manifest, archive: manifestSum, files };
}

async function readManifest(file: ArchiveFile): Promise<{ manifest: Manifest; sum: string }> {
  if (file.path !== manifestPath) throw new ArchiveRefused('This is not an archive of an organization.');
  const content = await readWhole(file);
  const about = parseJsonObject(content);
  if (about?.['format'] !== formatName)
    throw new ArchiveRefused('This is not an archive of an organization.');
  if (about['version'] !== formatVersion) {
    const text = `The archive has the format version ${String(about['version'])}, but this version of Parley reads version ${formatVersion}.`;
    throw new ArchiveRefused(text);
  }
  return { manifest: parseJson(Manifest, content, file.path), sum: sha256(content) };
}

function compare(expected: readonly Entry[], found: readonly Entry[]): void {
  for (const [index, entry] of expected.entries()) {
    const file = found[index];
    if (file?.path !== entry.path) throw damaged(`${entry.path} is missing`);
    if (file.bytes !== entry.bytes || file.sha256 !== entry.sha256) {
      throw damaged(`${entry.path} has been changed`);
    }
  }
  const more = found[expected.length];
  if (more) throw damaged(`${more.path} does not belong to the archive`);
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

async function sumOf({ content }: ArchiveFile): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function partOf(path: string): number {
  const number = Number(/^parts\/(\d+)\.json$/.exec(path)?.[1] ?? Number.NaN);
  if (path !== checksumsPath(number)) throw damaged(`${path} is not a part`);
  return number;
}

function parseJsonObject(content: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(content.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function parseJson<Value>(
  schema: { safeParse(value: unknown): { success: boolean; data?: Value } },
  content: Buffer,
  path: string,
): Value {
  const parsed = schema.safeParse(parseJsonObject(content));
  if (!parsed.success || parsed.data === undefined) throw damaged(`${path} cannot be read`);
  return parsed.data;
}
