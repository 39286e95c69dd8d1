import { rowSchemas } from '../schemas/index.ts';
import type { ExportedTable } from '../tables/table.ts';
import { refused } from './refused.ts';

export type Row = Record<string, unknown>;

/**
 * Reads a row of a table from a line of JSON, and checks each of its values as the API would. HTML comes out empty.
 *
 * @throws ArchiveRefused for a row that the API would not have let in
 */
export function parseRow({ name }: ExportedTable, line: string): Row {
  const schema = rowSchemas[name];
  if (!schema) throw new Error(`It is not known what rows of ${name} may be.`);
  const parsed = schema.safeParse(fromJson(name, line));
  // Safe: each schema is one of an object.
  if (parsed.success) return parsed.data as Row;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0) {
    throw refused('unknown_column', { column: issue.keys[0] ?? '', table: name });
  }
  throw refusedRow(name, issue?.path[0] === undefined ? undefined : String(issue.path[0]));
}

/** Returns the error for a row that is not taken, with the column that is at fault if it is one. */
export const refusedRow = (table: string, column?: string) =>
  column === undefined ? refused('row_refused', { table }) : refused('value_refused', { table, column });

function fromJson(table: string, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw refused('row_unreadable', { table });
  }
}
