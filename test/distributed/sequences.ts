import { connectSql } from '@parley/db';
import type { DistributedPostgres } from '@parley/infra';

/** How far each server has counted in each sequence, by both. */
export type Counts = ReadonlyMap<string, number>;

/** Reads how far the servers have counted: what each drew last of every sequence, or is to draw first. */
export async function readCounts({ workers }: Pick<DistributedPostgres, 'workers'>): Promise<Counts> {
  const counts = new Map<string, number>();
  for (const { url, port } of workers) {
    const sql = connectSql({ url, name: 'distributed', max: 1 });
    try {
      const sequences = await sql<{ name: string }[]>`
        select sequencename as name from pg_sequences where schemaname = 'public'`;
      for (const { name } of sequences) {
        const [row] = await sql<{ last: number }[]>`select last_value as last from ${sql(name)}`;
        counts.set(`${name} of ${port}`, row?.last ?? 0);
      }
    } finally {
      await sql.end({ timeout: 5 });
    }
  }
  return counts;
}

/** Returns the sequences that have gone back: ids that were drawn are drawn again. */
export const wentBack = (before: Counts, after: Counts): string[] =>
  [...before].filter(([name, last]) => (after.get(name) ?? 0) < last).map(([name]) => name);
