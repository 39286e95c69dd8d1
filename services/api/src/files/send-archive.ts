import { Readable } from 'node:stream';

import type { RealmExportPartRow, RealmExportRow } from '@parley/db';
import type { ByteRange, FileStore } from '@parley/files';
import type { Context } from 'hono';

import { sendFile } from './send-file.ts';

interface Download {
  row: RealmExportRow;
  parts: RealmExportPartRow[];
}

/**
 * Answers with an archive, or with a range of it. Its parts are sent one after the other: compressed files that follow
 * each other are one compressed file.
 */
export async function sendArchive(
  c: Context,
  store: FileStore,
  { row: { id, folder }, parts }: Download,
): Promise<Response> {
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const open = async (_: string, range: ByteRange = { start: 0, end: bytes - 1 }) => ({
    bytes,
    body: Readable.from(readParts(store, folder, parts, range), { objectMode: false }),
  });
  const file = { key: folder, bytes, contentType: 'application/gzip', name: `export-${id}.tar.gz` };
  return await sendFile(c, { open }, file, 'private, no-store');
}

async function* readParts(
  store: FileStore,
  folder: string,
  parts: RealmExportPartRow[],
  { start, end }: ByteRange,
): AsyncGenerator<Buffer> {
  let before = 0;
  for (const part of parts) {
    const range = { start: Math.max(0, start - before), end: Math.min(part.bytes, end + 1 - before) - 1 };
    before += part.bytes;
    if (range.start > range.end) continue;
    const stored = await store.open(`${folder}/${part.name}`, range);
    if (!stored) throw new Error(`Part ${part.number} of export ${part.exportId} is missing.`);
    yield* stored.body as AsyncIterable<Buffer>;
  }
}
