import { type Sql, listBackfills, readMigrationState } from '@parley/db';
import { gauge } from '@parley/telemetry';

const pendingMigrations = gauge(
  'parley_migrations_pending',
  'Migrations of this version that the database has not run to their end; until then nodes of this version wait',
);
const backfillRows = gauge(
  'parley_backfill_rows',
  'Rows that a migration which has not ended goes over: those done, and about how many there are',
  ['migration', 'step', 'table', 'state'],
);

/** Measures what is left of the migrations of this version, until disposed of. */
export function measureMigrations(sql: Sql): Disposable {
  const pending = pendingMigrations.watch(async (set) => set((await readMigrationState(sql)).pending.length));
  const rows = backfillRows.watch(async (set) => {
    for (const { migration, step, table, done, total } of await listBackfills(sql)) {
      const labels = { migration, step: String(step), table };
      set(done, { ...labels, state: 'done' });
      set(total, { ...labels, state: 'total' });
    }
  });
  return {
    [Symbol.dispose]() {
      pending[Symbol.dispose]();
      rows[Symbol.dispose]();
    },
  };
}
