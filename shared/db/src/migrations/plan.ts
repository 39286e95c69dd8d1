import type { Sql } from '../connect.ts';
import { estimateRows } from './backfill.ts';
import { listSteps } from './list-steps.ts';
import { readMigrationState } from './migration-state.ts';
import { type Step, listMigrations, readMigration } from './read-migrations.ts';
import { describeStep } from './statements.ts';

interface PlannedStep {
  /** What it does, in short. */
  what: string;
  kind: Step['kind'];
  state: 'waits' | 'begun' | 'ended';
  /** Of a backfill: over how many rows it went, and over about how many it has to go. */
  rows?: { done: number; total: number };
}

export interface PlannedMigration {
  migration: string;
  online: boolean;
  steps: PlannedStep[];
}

/** How far a backfill is that has begun, as long as its migration has not ended. */
export interface BackfillProgress {
  migration: string;
  step: number;
  table: string;
  done: number;
  total: number;
}

/** Returns what migrating would run, and how far what has begun is. It changes nothing. */
export async function planMigrations(sql: Sql, folder?: string): Promise<PlannedMigration[]> {
  const { pending } = await readMigrationState(sql, folder);
  const begun = new Map((await listSteps(sql)).map((row) => [`${row.migration} ${row.step}`, row]));
  const listed = (await listMigrations(folder)).filter(({ tag }) => pending.includes(tag));
  const planned: PlannedMigration[] = [];
  for (const one of listed) {
    const { tag, isOnline, steps } = await readMigration(one);
    const plans: PlannedStep[] = [];
    for (const [at, step] of steps.entries()) {
      const row = begun.get(`${tag} ${at + 1}`);
      const state = row ? (row.ended ? 'ended' : 'begun') : 'waits';
      const total = row?.total ?? (step.filled ? await estimateRows(sql, step.filled.table) : 0);
      const rows = step.filled && { rows: { done: row?.done ?? 0, total } };
      plans.push({ what: describeStep(step), kind: step.kind, state, ...rows });
    }
    planned.push({ migration: tag, online: isOnline, steps: plans });
  }
  return planned;
}

/** Returns the backfills of migrations that have not ended. */
export async function listBackfills(sql: Sql): Promise<BackfillProgress[]> {
  return (await listSteps(sql)).flatMap(({ migration, step, filled, done, total }) =>
    filled === null ? [] : [{ migration, step, table: filled, done: done ?? 0, total: total ?? 0 }],
  );
}
