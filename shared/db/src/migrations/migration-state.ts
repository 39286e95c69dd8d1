import type { Sql } from '../connect.ts';
import { listSteps } from './list-steps.ts';
import { listMigrations } from './read-migrations.ts';

export interface MigrationState {
  /** Migrations that this version has and the database has not run, in their order. */
  pending: string[];
  /** How many migrations the database has run. */
  applied: number;
  /** How many migrations the database has run or begun that this version does not have: a newer one has. */
  unknown: number;
}

/** Returns which migrations a database still needs. One that is online is needed until its last step has ended. */
export async function readMigrationState(sql: Sql, folder?: string): Promise<MigrationState> {
  const all = await listMigrations(folder);
  const [journal] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`;
  if (!journal?.['exists']) return { pending: all.map(({ tag }) => tag), applied: 0, unknown: 0 };
  const newest = all.at(-1)?.when ?? 0;
  const [last] = await sql<{ at: number | null; applied: number; unknown: number }[]>`
    select max(created_at)::float8 as at, count(*)::int as applied,
           (count(*) filter (where created_at > ${newest}))::int as unknown
    from drizzle.__drizzle_migrations`;
  const begun = await listSteps(sql);
  const known = new Set(all.map(({ tag }) => tag));
  const begunUnknown = new Set(begun.map(({ migration }) => migration).filter((tag) => !known.has(tag)));
  const pending = all.filter(({ when }) => when > (last?.at ?? 0)).map(({ tag }) => tag);
  return { pending, applied: last?.applied ?? 0, unknown: (last?.unknown ?? 0) + begunUnknown.size };
}
