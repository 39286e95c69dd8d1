import type { RealmExportPartRow, RealmExportRow } from '@parley/db';
import { type ByteRange, type FileStore, openInTurn } from '@parley/files';
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
  const objects = parts.map((part) => ({ key: `${folder}/${part.name}`, bytes: part.bytes }));
  const open = async (_: string, range?: ByteRange) => ({ bytes, body: openInTurn(store, objects, range) });
  const file = { key: folder, bytes, contentType: 'application/gzip', name: `export-${id}.tar.gz` };
  return await sendFile(c, { open }, file, 'private, no-store');
}
