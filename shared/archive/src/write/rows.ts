import type { Sql } from '@parley/db';

import { selectRows } from '../tables/select.ts';
import type { ExportedTable, Scope } from '../tables/table.ts';
import type { Row } from './part.ts';

/** The few rows that are in memory at once: the longest of them may have half a megabyte. */
const cursorRows = 200;

/** A transaction that reads in one snapshot. */
export type Snapshot = Parameters<Parameters<Sql['begin']>[1]>[0];

export const inSnapshot = async <Result>(
  sql: Sql,
  read: (tx: Snapshot) => Promise<Result>,
): Promise<Result> => {
  // Safe: a function's result is no array of promises.
  const result = await sql.begin('isolation level repeatable read read only', (tx) => read(tx));
  return result as Result;
};

/** Returns the rows of a table that an export contains. */
export const readRows = (
  tx: Snapshot,
  table: ExportedTable,
  scope: Scope,
  more?: string,
): AsyncIterable<Row[]> => tx.unsafe<Row[]>(selectRows(table, scope, more)).cursor(cursorRows);
