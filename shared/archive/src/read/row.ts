import { rowSchemas } from '../schemas/index.ts';
import type { ExportedTable } from '../tables/table.ts';
import { ArchiveRefused, damaged } from './damaged.ts';
import { shown } from './entries.ts';

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
    const text = `The archive has the column ${shown(issue.keys[0] ?? '')} of the table ${name}, which this version does not know. Update the server first.`;
    throw new ArchiveRefused(text);
  }
  throw refusedRow(name, issue?.path[0] === undefined ? undefined : String(issue.path[0]));
}

/** Returns the error for a row that is not taken, with the column that is at fault if it is one. */
export const refusedRow = (table: string, column?: string) =>
  new ArchiveRefused(
    column === undefined
      ? `The archive is refused: a row of the table ${table} is not one that the server could have written.`
      : `The archive is refused: the table ${table} has a value in ${shown(column)} that the server could not have written.`,
  );

function fromJson(table: string, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw damaged(`a row of the table ${table} cannot be read`);
  }
}
