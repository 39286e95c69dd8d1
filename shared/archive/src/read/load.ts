import type { ExportedTable } from '../tables/table.ts';
import { refusedByDatabase } from './refused.ts';
import type { Row } from './row.ts';
import type { Writing } from './writing.ts';

/**
 * Inserts rows of a table. All of them have the same columns.
 *
 * @throws ArchiveRefused for rows that contradict each other
 */
export async function insertRows(tx: Writing, { name }: ExportedTable, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const list = Object.keys(first)
    .map((column) => `"${column}"`)
    .join(', ');
  try {
    await tx.unsafe(
      `insert into ${name} (${list}) overriding system value
        select ${list} from json_populate_recordset(null::${name}, $1::text::json)`,
      [JSON.stringify(rows)],
    );
  } catch (error) {
    throw refusedByDatabase(error, name);
  }
}

/** Returns a row with what an import gives to columns that belong to a running deployment. */
export function withResets({ reset = {} }: ExportedTable, row: Row, now: Date): Row {
  const values = Object.entries(reset).map(([column, value]) => [
    column,
    value === 'now' ? now.toISOString() : value,
  ]);
  return { ...row, ...(Object.fromEntries(values) as Row) };
}
