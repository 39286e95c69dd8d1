import type { Sql } from '../connect.ts';

interface StepRow {
  migration: string;
  step: number;
  ended: boolean;
  filled: string | null;
  done: number | null;
  total: number | null;
}

/** Returns the steps that have begun, of migrations that have not ended. */
export async function listSteps(sql: Sql): Promise<StepRow[]> {
  const [known] = await sql`select to_regclass('drizzle.migration_steps') is not null as is`;
  if (!known?.['is']) return [];
  return await sql<StepRow[]>`
    select migration, step, ended_at is not null as ended, filled,
      rows_done::float8 as done, rows_total::float8 as total
    from drizzle.migration_steps order by migration, step`;
}
