import type { IdSet } from '@parley/db';

import { partNumbers } from '../manifest.ts';
import type { ExportedTable } from '../tables/table.ts';
import { type ArchiveFile, readFiles, readLines } from './entries.ts';
import { memberOf } from './members.ts';
import { type Row, parseRow } from './row.ts';

/** Rows that are in memory at once: so many, or those of so many characters of JSON. */
const rowsMax = 500;
const charactersMax = 4 * 1024 * 1024;

/**
 * Yields the rows of a file, some at a time. Rows that belong to messages which stand elsewhere in the archive, as they
 * were later, are left out.
 *
 * @throws ArchiveRefused for a row that the API would not have let in
 */
export async function* readRows(
  file: ArchiveFile,
  table: ExportedTable,
  part: number,
  superseded: IdSet,
): AsyncGenerator<Row[]> {
  const column = table.name === 'messages' ? 'id' : 'message_id';
  let rows: Row[] = [];
  let characters = 0;
  for await (const line of readLines(file)) {
    const row = parseRow(table, line);
    if (part !== partNumbers.tables && superseded.has(Number(row[column]))) continue;
    rows.push(row);
    characters += line.length;
    if (rows.length < rowsMax && characters < charactersMax) continue;
    yield rows;
    [rows, characters] = [[], 0];
  }
  if (rows.length > 0) yield rows;
}

/**
 * Yields the rows of a table of an archive, some at a time, as `readRows` does.
 *
 * @throws ArchiveRefused as readRows
 */
export async function* readTable(
  archive: string,
  table: ExportedTable,
  superseded: IdSet,
): AsyncGenerator<Row[]> {
  for await (const file of readFiles(archive)) {
    const member = memberOf(file.path);
    if (member.kind === 'rows' && member.table === table.name) {
      yield* readRows(file, table, member.part, superseded);
    }
  }
}
