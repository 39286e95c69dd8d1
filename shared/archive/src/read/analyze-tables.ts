import type { Sql } from '@parley/db';

import type { Survey } from './survey.ts';
import { inTransaction } from './writing.ts';

/** Of a table to which fewer rows come, any plan is good enough. */
const rowsMin = 5000;

/**
 * Lets the planner know what the tables have that an archive has filled. Before, it takes a realm for a two-hundredth of each, and
 * reads all of its messages for a few.
 */
export async function analyzeTables(sql: Sql, { manifest }: Survey): Promise<void> {
  const filled = Object.entries(manifest.tables).filter(([, { rows }]) => rows >= rowsMin);
  await Promise.all(filled.map(([table]) => inTransaction(sql, (tx) => tx`select analyze_table(${table})`)));
}
