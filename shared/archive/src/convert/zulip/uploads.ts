import { limits } from '@parley/protocol';

import type { JsonTables } from '../json-tables.ts';
import type { Json } from '../json.ts';
import { because } from '../reasons.ts';
import type { Directory } from './directory.ts';
import { type ImageFacts, type Placed, isUpload, uploadKey, uploadPathOf } from './files.ts';
import type { MessageReader } from './messages.ts';
import type { TableWriter } from './table-writer.ts';
import { firstTime, idOf, numbersOf, textOf, timeOf } from './values.ts';

const table = 'zerver_attachment';
const fileOf = (row: Json) => `uploads/${textOf(row, 'path_id')}`;
const typeOf = (row: Json) => {
  const type = textOf(row, 'content_type');
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) ? type : 'application/octet-stream';
};

/** What is asked of the files of an export. */
interface Files {
  readonly bytesOf: (path: string) => number | undefined;
}

/** Yields the uploads of an export that it has the files of. */
async function* uploadsOf(
  attachments: JsonTables,
  files: Files,
): AsyncGenerator<{ row: Json; id: number; path: string; bytes: number }> {
  for await (const { rows } of attachments.rows(table)) {
    for (const row of rows) {
      const [id, path, bytes] = [
        idOf(row, 'id'),
        uploadPathOf(textOf(row, 'path_id')),
        files.bytesOf(fileOf(row)),
      ];
      if (id !== undefined && path !== undefined && isUpload(bytes)) yield { row, id, path, bytes };
    }
  }
}

/** Finds the files of uploads. Those that look like pictures are looked at. */
export async function placeUploads(attachments: JsonTables, files: Files, placed: Placed): Promise<void> {
  for await (const { row, path } of uploadsOf(attachments, files)) {
    placed.keys.set(fileOf(row), [uploadKey(path)]);
    if (typeOf(row).startsWith('image/')) placed.pictures.add(fileOf(row));
  }
}

/** Adds which messages have which uploads. */
export async function addUploadsOfMessages(
  attachments: JsonTables,
  files: Files,
  reader: MessageReader,
): Promise<void> {
  for await (const { row, id } of uploadsOf(attachments, files)) {
    for (const message of new Set(numbersOf(row['messages']))) {
      if (!reader.ids.has(message)) continue;
      await reader.addBelonging('message_attachments', { message_id: message, attachment_id: id }, null);
    }
  }
}

export async function* attachmentRows(
  attachments: JsonTables,
  files: Files,
  { realmId, need, tally }: { realmId: number; need: (id: number) => number; tally: Directory['tally'] },
  facts: ReadonlyMap<string, ImageFacts>,
): AsyncGenerator<object> {
  let count = 0;
  for await (const { row, id, path, bytes } of uploadsOf(attachments, files)) {
    count += 1;
    const name = [...textOf(row, 'file_name')].slice(0, limits.fileNameLength).join('');
    yield {
      id,
      realm_id: realmId,
      owner_id: need(idOf(row, 'owner') ?? 0),
      path_id: path,
      name: name || 'file',
      content_type: typeOf(row),
      size: bytes,
      image: facts.get(fileOf(row)) ?? null,
      created_at: timeOf(row, 'create_time') ?? firstTime,
      released_at: null,
    };
  }
  const lost = attachments.countOf(table) - count;
  tally.leaveOut('files', because('file_not_there_or_large', { mebibytes: limits.uploadMebibytes }), lost);
}

export async function* scheduledUploadRows(
  attachments: JsonTables,
  files: Files,
  writing: TableWriter,
): AsyncGenerator<object> {
  for await (const { row, id } of uploadsOf(attachments, files)) {
    for (const message of numbersOf(row['scheduled_messages'])) {
      if (writing.has('scheduled_messages', message)) {
        yield { scheduled_message_id: message, attachment_id: id };
      }
    }
  }
}
