import { exportedTables } from '../tables/index.ts';
import type { ExportedTable } from '../tables/table.ts';
import { ArchiveRefused, damaged } from './damaged.ts';
import { type Row, createRewriter } from './rewrite.ts';
import type { Shifts } from './shifts.ts';
import type { Writing } from './writing.ts';

/** Rows that one statement inserts. */
const rowsPerStatement = 500;

export interface LoadContext {
  shifts: Shifts;
  now: Date;
  /** What the realm's row has until all is there: no host leads to such a realm. */
  hidden: Row;
}

/**
 * Inserts rows of a table, each a line of JSON.
 *
 * Throws ArchiveRefused for a table or a column that this server does not know.
 */
export async function loadRows(
  tx: Writing,
  name: string,
  lines: readonly string[],
  { shifts, now, hidden }: LoadContext,
): Promise<void> {
  const table = exportedTables.find((one) => one.name === name);
  if (!table)
    throw new ArchiveRefused(
      `The archive has rows of the table ${name}, which this version does not know. Update the server first.`,
    );
  const rewriter = createRewriter(table, shifts);
  for (let first = 0; first < lines.length; first += rowsPerStatement) {
    const rows = lines.slice(first, first + rowsPerStatement).map((line): Row => {
      const row = parseRow(line, name);
      rewriter?.(row);
      for (const [column, value] of Object.entries(table.reset ?? {})) {
        row[column] = value === 'now' ? now.toISOString() : value;
      }
      return name === 'realms' ? { ...row, ...hidden } : row;
    });
    await insert(tx, table, rows);
  }
}

function parseRow(line: string, table: string): Row {
  try {
    const row: unknown = JSON.parse(line);
    if (typeof row === 'object' && row !== null) return row as Row;
  } catch {
    // Said below.
  }
  throw damaged(`a row of the table ${table} cannot be read`);
}

async function insert(tx: Writing, { name }: ExportedTable, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const known = await columnsOf(tx, name);
  const unknown = columns.find((column) => !known.has(column));
  if (unknown !== undefined) {
    const text = `The archive has the column ${unknown} of the table ${name}, which this version does not know. Update the server first.`;
    throw new ArchiveRefused(text);
  }
  const list = columns.map((column) => `"${column}"`).join(', ');
  await tx.unsafe(
    `insert into ${name} (${list}) overriding system value
      select ${list} from jsonb_populate_recordset(null::${name}, $1::text::jsonb)`,
    [JSON.stringify(rows)],
  );
}

const columnsByTable = new Map<string, Set<string>>();

async function columnsOf(tx: Writing, name: string): Promise<ReadonlySet<string>> {
  const remembered = columnsByTable.get(name);
  if (remembered) return remembered;
  const rows = await tx<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${name} and is_generated = 'NEVER'`;
  const columns = new Set(rows.map((row) => row.name));
  columnsByTable.set(name, columns);
  return columns;
}
