import { type Tx, tables } from '@parley/db';
import { inArray } from 'drizzle-orm';

/** Returns those of some generations that no realm has: it has begun anew since, or is gone. */
export async function listUnknown(db: Tx, generations: readonly string[]): Promise<string[]> {
  const { searchEngineCursors: cursors } = tables;
  const rows = await db
    .select({ generation: cursors.generation })
    .from(cursors)
    .where(inArray(cursors.generation, [...generations]));
  const known = new Set(rows.map(({ generation }) => generation));
  return generations.filter((one) => !known.has(one));
}
