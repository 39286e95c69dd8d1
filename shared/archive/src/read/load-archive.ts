import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { Sql } from '@parley/db';
import type { FileStore } from '@parley/files';
import { makeWorkFolder } from '@parley/kit';
import * as model from '@parley/model';

import type { ExportedTable } from '../tables/table.ts';
import type { ImportRow } from './begin.ts';
import { type ArchiveFile, readFiles } from './entries.ts';
import { insertRows, withResets } from './load.ts';
import { type Member, memberOf } from './members.ts';
import type { Numbering } from './numbering.ts';
import { readRows } from './read-rows.ts';
import { type Renderer, currentVersion } from './renderer.ts';
import { type Resolver, createResolver } from './resolve.ts';
import type { Row } from './row.ts';
import { type Survey, tableOf } from './survey.ts';
import { type Writing, inTransaction } from './writing.ts';

interface Load {
  sql: Sql;
  store: FileStore;
  archive: string;
  now: Date;
  survey: Survey;
  numbering: Numbering;
  renderer: Renderer;
  readonly onProgress:
    | ((progress: { phase: 'verifying' | 'importing'; files: number; of: number | null }) => void)
    | undefined;
}

/** Loads all files of an archive, each in a transaction that records how far the import is. */
export async function loadArchive(load: Load, begun: ImportRow): Promise<void> {
  const { sql, store, archive, survey, onProgress } = load;
  await using temporary = await makeWorkFolder('import');
  let files = 0;
  for await (const file of readFiles(archive)) {
    files += 1;
    const member = memberOf(file.path);
    if (files > begun.files && member.kind === 'rows') {
      await inTransaction(sql, async (tx) => {
        await advance(tx, begun, files);
        await loadFile(load, tx, file, member, begun);
      });
    } else if (files > begun.files && member.kind === 'file') {
      await storeFile({ store, folder: temporary.path }, file, member, begun.realm_id);
      await inTransaction(sql, (tx) => advance(tx, begun, files));
    }
    onProgress?.({ phase: 'importing', files, of: survey.files });
  }
}

/** Records how many files are read. Of two processes that import the same archive, one ends here. */
export async function advance(tx: Writing, begun: ImportRow, files: number): Promise<void> {
  const { count } = await tx`
    update realm_imports set files = ${files} where id = ${begun.id} and files = ${begun.files}`;
  if (count === 0) throw new Error('Another process is importing this archive.');
  begun.files = files;
}

async function loadFile(
  { survey, numbering, renderer, now }: Load,
  tx: Writing,
  file: ArchiveFile,
  member: Member & { kind: 'rows' },
  begun: ImportRow,
): Promise<void> {
  const { table } = tableOf(member.table);
  const resolve = createResolver(table, { survey, numbering });
  let inserting = Promise.resolve();
  try {
    for await (const rows of readRows(file, table, member.part, survey.superseded)) {
      const prepared = prepare(table, rows, { resolve, realmId: begun.realm_id, now });
      const rendered = await withEarlyHtml(table, prepared, renderer, begun);
      await inserting;
      // The next rows are read meanwhile.
      inserting = insertRows(tx, table, rendered);
      inserting.catch(() => undefined);
    }
  } finally {
    await inserting;
  }
  if (table.name === 'realms') {
    const [, last] = numbering.span('messages');
    // What comes from the same source later gets the ids between these and the first that is written here.
    const { idsForHistory } = model.realms;
    const head = Math.max(last + idsForHistory / 10, idsForHistory);
    await tx`select create_log_head(${begun.realm_id}, greatest(${last}, last_id_for_history(${head})))`;
  }
}

const prepare = (
  table: ExportedTable,
  rows: readonly Row[],
  { resolve, realmId, now }: { resolve: Resolver; realmId: number; now: Date },
): Row[] =>
  rows.flatMap((row) => {
    const resolved = resolve(row);
    const ofRealm = table.takesRealm && { realm_id: realmId };
    return resolved ? [{ ...withResets(table, resolved, now), ...ofRealm }] : [];
  });

/**
 * Returns rows as they are inserted. Most messages name nothing, so that their HTML can be made before they are there: they
 * are written once.
 */
export async function withEarlyHtml(
  { name }: ExportedTable,
  rows: Row[],
  renderer: Renderer,
  { id }: ImportRow,
): Promise<Row[]> {
  // No host leads to a realm of this name, and no worker looks after one that is not active.
  if (name === 'realms') {
    return rows.map((row) => ({
      ...row,
      name: `importing:${id}`,
      members_conversation_id: null,
      is_active: false,
    }));
  }
  if (name !== 'messages') return rows;
  const texts = rows.map((row) => ({
    id: Number(row['id']),
    authorId: Number(row['sender_id']),
    content: String(row['content']),
    writtenAt: new Date(String(row['sent_at'])),
  }));
  const html = await renderer.renderMessages(texts, { alone: true });
  return rows.map((row) => {
    const rendered = html.get(Number(row['id']));
    return rendered === undefined
      ? row
      : { ...row, rendered_content: rendered, rendered_version: currentVersion };
  });
}

/** Stores a file in the folder of the realm: the name of the folder is all that changes. It lies in a temporary one meanwhile. */
export async function storeFile(
  { store, folder: temporary }: { store: FileStore; folder: string },
  file: ArchiveFile,
  { folder, rest }: Member & { kind: 'file' },
  realmId: number,
): Promise<void> {
  const path = join(temporary, 'file');
  await pipeline(file.content, createWriteStream(path));
  await store.put(
    `${folder}/${realmId}/${rest}`,
    { file: path, bytes: file.bytes },
    'application/octet-stream',
  );
  await rm(path, { force: true });
}
