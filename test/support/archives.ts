import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { createGunzip, gzipSync } from 'node:zlib';

import { exportedTables } from '@parley/archive';
import { type Header, extract, pack } from 'tar-stream';

/** The files of an archive by their paths, in their order. */
export type Archive = Map<string, Buffer>;

export type ArchiveRow = Record<string, unknown>;

/** Reads all files of an archive into memory. */
export async function readArchive(file: string): Promise<Archive> {
  const archive: Archive = new Map();
  const files = extract();
  createReadStream(file).pipe(createGunzip()).pipe(files);
  for await (const entry of files) {
    archive.set(entry.header.name, await buffer(entry));
  }
  return archive;
}

/** A file of an archive as somebody forges it. */
export interface Forged {
  header: Partial<Header> & { name: string };
  content?: Buffer;
}

/** Writes an archive of any files, whatever they are. */
export async function writeArchive(file: string, files: readonly Forged[]): Promise<void> {
  const packed = pack();
  for (const { header, content = Buffer.of() } of files) packed.entry(header, content);
  packed.finalize();
  await writeFile(file, gzipSync(await buffer(packed), { level: 1 }));
}

export const filesOf = (archive: Archive): Forged[] =>
  [...archive].map(([name, content]) => ({ header: { name }, content }));

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** Returns the path of the first file with rows of a table. */
export function pathOf(archive: Archive, table: string): string {
  const path = [...archive.keys()].find((one) => one.endsWith(`/${table}.000000.ndjson`));
  if (path === undefined) throw new Error(`The archive has no rows of ${table}.`);
  return path;
}

/** Returns the lines of a file of an archive. */
export const linesOf = (content: Buffer): string[] => content.toString().split('\n').slice(0, -1);

/** Returns an archive of which the lines of a file are others. Its checksums do not know of it yet. */
export function withLines(archive: Archive, path: string, lines: readonly string[]): Archive {
  return new Map([...archive, [path, Buffer.from(lines.map((line) => `${line}\n`).join(''))]]);
}

/** Returns what the checksums of a part say of a file. */
export function entryOf(archive: Archive, path: string): object {
  const content = archive.get(path) ?? Buffer.of();
  const rows = path.endsWith('.000000.ndjson') ? { rows: linesOf(content).length } : {};
  return { path, bytes: content.length, sha256: sha256(content), ...rows };
}

/** Returns an archive in which checksums and manifest say what is there, as if it had been exported. */
export function seal(archive: Archive, aboutRealm: { id?: number; name?: string } = {}): Archive {
  const sealed: Archive = new Map(archive);
  const manifest = JSON.parse(String(archive.get('manifest.json'))) as {
    tables: object;
    parts: { number: number; sha256: string }[];
    realm: object;
  };
  manifest.tables = summaries(archive);
  Object.assign(manifest.realm, aboutRealm);
  let entries: object[] = [];
  for (const path of archive.keys()) {
    const [, part] = /^parts\/(\d+)\.json$/.exec(path) ?? [];
    if (part === undefined) {
      entries.push(entryOf(archive, path));
      continue;
    }
    if (Number(part) > 0) {
      const sums = Buffer.from(JSON.stringify({ entries }));
      sealed.set(path, sums);
      const listed = manifest.parts.find(({ number }) => number === Number(part));
      if (listed) listed.sha256 = sha256(sums);
    }
    entries = [];
  }
  sealed.set('manifest.json', Buffer.from(JSON.stringify(manifest)));
  const entry = entryOf(sealed, 'manifest.json');
  return sealed.set('parts/000000.json', Buffer.from(JSON.stringify({ entries: [entry] })));
}

function summaries(archive: Archive): object {
  const tables: Record<string, { rows: number; least: number | null; greatest: number | null }> = {};
  for (const [path, content] of archive) {
    const [, name] = /^data\/\d+\/(\w+)\.\d+\.ndjson$/.exec(path) ?? [];
    const table = exportedTables.find((one) => one.name === name);
    if (name === undefined || !table) continue;
    const summary = (tables[name] ??= { rows: 0, least: null, greatest: null });
    for (const line of linesOf(content)) {
      summary.rows += 1;
      const id = table.draws === undefined ? null : drawnIn(line, table.drawnIn ?? 'id');
      if (id === null) continue;
      summary.least = Math.min(summary.least ?? id, id);
      summary.greatest = Math.max(summary.greatest ?? id, id);
    }
  }
  return tables;
}

function drawnIn(line: string, column: string): number | null {
  try {
    const id = (JSON.parse(line) as ArchiveRow)[column];
    return typeof id === 'number' && Number.isInteger(id) ? id : null;
  } catch {
    return null;
  }
}
