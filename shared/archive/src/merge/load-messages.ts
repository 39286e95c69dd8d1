import type { Sql } from '@parley/db';
import type { FileStore } from '@parley/files';
import { makeWorkFolder } from '@parley/kit';

import { type ImportRow } from '../read/begin.ts';
import { type ArchiveFile, readFiles } from '../read/entries.ts';
import { advance, storeFile, withEarlyHtml } from '../read/load-archive.ts';
import { insertRows, withResets } from '../read/load.ts';
import { type Member, memberOf } from '../read/members.ts';
import type { Numbering } from '../read/numbering.ts';
import { readRows } from '../read/read-rows.ts';
import type { Renderer } from '../read/renderer.ts';
import { createResolver } from '../read/resolve.ts';
import type { Row } from '../read/row.ts';
import { type Survey, tableOf } from '../read/survey.ts';
import { type Writing, inTransaction } from '../read/writing.ts';
import type { ExportedTable } from '../tables/table.ts';
import type { MessageNumbers } from './message-numbers.ts';
import type { Place } from './places.ts';
import { hasEmoji, recordReactions } from './reaction-hashes.ts';

export interface MessageLoad {
  sql: Sql;
  store: FileStore;
  archive: string;
  now: Date;
  realmId: number;
  survey: Survey;
  numbering: Numbering;
  numbers: MessageNumbers;
  places: ReadonlyMap<number, Place>;
  /** The ids here of uploads that are there already. */
  uploads: ReadonlySet<number>;
  renderer: Renderer;
  readonly onFile: (files: number) => void;
  readonly rest: (workedMs: number) => Promise<void>;
}

/** Folders of files that belong to messages. */
const folders: ReadonlySet<string> = new Set(['uploads', 'emoji']);
/** Tables whose rows are nowhere referred to: they get new ids where they are written. */
const unnamed: ReadonlySet<string> = new Set(['reactions', 'message_edits', 'submessages']);

/** Loads the messages that are new, with all that belongs to them; each file in a transaction that says how far it is. */
export async function loadMessages(load: MessageLoad, begun: ImportRow): Promise<void> {
  const { sql, store, archive, realmId, onFile } = load;
  await using temporary = await makeWorkFolder('import');
  let files = 0;
  for await (const file of readFiles(archive)) {
    files += 1;
    const member = memberOf(file.path);
    if (files > begun.files && member.kind === 'rows') {
      const { table } = tableOf(member.table);
      if (table.ofMessages || table.name === 'messages' || table.name === 'attachments') {
        await inTransaction(sql, async (tx) => {
          await advance(tx, begun, files);
          const last = await loadRows(load, tx, table, { file, member, begun });
          if (table.name === 'messages') await haveFilledAgain(tx, realmId, last);
        });
      }
    } else if (files > begun.files && member.kind === 'file' && folders.has(member.folder)) {
      await storeFile({ store, folder: temporary.path }, file, member, realmId);
      await inTransaction(sql, (tx) => advance(tx, begun, files));
    }
    onFile(files);
  }
}

/** No log tells a search engine of imported messages: it is filled with them like with all that is older. */
async function haveFilledAgain(tx: Writing, realmId: number, last: number): Promise<void> {
  await tx`
    update search_engine_cursors set filled_from = greatest(filled_from, ${last + 1}) where realm_id = ${realmId}`;
}

/** Loads the rows of a file, and returns the greatest id that one got. */
async function loadRows(
  load: MessageLoad,
  tx: Writing,
  table: ExportedTable,
  { file, member, begun }: { file: ArchiveFile; member: Member & { kind: 'rows' }; begun: ImportRow },
): Promise<number> {
  const { survey, numbering, numbers, renderer, now, realmId } = load;
  const resolve = createResolver(table, { survey, numbering });
  let last = 0;
  for await (const rows of readRows(file, table, member.part, survey.superseded)) {
    const startedMs = performance.now();
    const wanted = rows.filter((row) => isWanted(load, table, row));
    const prepared = wanted.flatMap((row) => {
      const resolved = resolve(row);
      if (!resolved) return [];
      const placed = table.name === 'messages' ? withPlace(load, row, resolved) : resolved;
      if (unnamed.has(table.name)) delete placed['id'];
      last = Math.max(last, Number(placed['id'] ?? 0));
      return [{ ...withResets(table, placed, now), ...(table.takesRealm && { realm_id: realmId }) }];
    });
    await insertRows(tx, table, await withEarlyHtml(table, prepared, renderer, begun));
    if (table.name === 'messages')
      await numbers.record(
        tx,
        realmId,
        wanted.map((row) => Number(row['id'])),
      );
    if (table.name === 'reactions') {
      await recordReactions(
        tx,
        realmId,
        wanted.map((row) => numbers.of(Number(row['message_id'])) ?? 0),
      );
    }
    if (table.name === 'attachments') await addUsage(tx, realmId, prepared);
    await load.rest(performance.now() - startedMs);
  }
  return last;
}

function isWanted({ numbers, numbering, uploads }: MessageLoad, { name }: ExportedTable, row: Row): boolean {
  if (name === 'attachments') return !uploads.has(numbering.of('attachments', Number(row['id'])) ?? 0);
  if (!numbers.isNew(Number(row[name === 'messages' ? 'id' : 'message_id']))) return false;
  return name !== 'reactions' || hasEmoji(numbering, row);
}

function withPlace({ places }: MessageLoad, row: Row, resolved: Row): Row {
  const place = places.get(Number(row['conversation_id']));
  if (!place) throw new Error('A message has no conversation.');
  return {
    ...resolved,
    conversation_id: place.conversationId,
    ordinal: Number(row['ordinal']) + place.after,
  };
}

/** Uploads of an archive count as those of anybody else. */
async function addUsage(tx: Writing, realmId: number, rows: readonly Row[]): Promise<void> {
  const bytes = rows.reduce((sum, row) => sum + Number(row['size']), 0);
  await tx`
    insert into upload_usage (realm_id, bytes) values (${realmId}, ${bytes})
    on conflict (realm_id) do update set bytes = upload_usage.bytes + excluded.bytes`;
}
