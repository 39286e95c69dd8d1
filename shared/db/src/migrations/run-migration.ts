import type { TransactionSql } from 'postgres';

import { runBackfill } from './backfill.ts';
import { runConcurrently } from './concurrent.ts';
import { MigrationError } from './migration-error.ts';
import { closeAllParts, openParts } from './parts.ts';
import { tryPatiently } from './patience.ts';
import { beginStep, endStep, findStep, recordMigration } from './progress.ts';
import type { Step } from './read-migrations.ts';
import { type Run, nameOfStep } from './run.ts';
import { assertTurn } from './session.ts';
import { describeStep, runStatements } from './statements.ts';

/** Runs a migration that is not in the journal yet; one that is online from the first step that has not ended. */
export async function runMigration(run: Run): Promise<void> {
  const { session, migration, say } = run;
  if (!migration.isOnline) {
    const [step] = migration.steps;
    if (step) await runBrief(run, 1, step, (tx) => recordMigration(tx, migration));
    return;
  }
  for (const [at, step] of migration.steps.entries()) {
    const number = at + 1;
    const state = await findStep(session.sql, migration, number, step);
    if (state?.hasEnded) continue;
    say(`${nameOfStep(run, number)}${state ? ' goes on' : ''}: ${describeStep(step)}`);
    await runStep(run, number, step);
  }
  await session.sql.begin(async (tx) => {
    await assertTurn(tx);
    await recordMigration(tx, migration);
  });
}

async function runStep(run: Run, number: number, step: Step): Promise<void> {
  switch (step.kind) {
    case 'brief':
    case 'patient': {
      await runBrief(run, number, step, async (tx) => {
        await beginStep(tx, run.migration, number, step);
        await endStep(tx, run.migration, number);
      });
      break;
    }
    case 'concurrent': {
      await runConcurrently(run, number, step);
      break;
    }
    case 'backfill': {
      if (run.isDivided) await openParts(run.session.sql);
      if (!step.filled) throw new MigrationError(`${nameOfStep(run, number)} does not say what it fills.`);
      await runBackfill(run, number, { ...step, filled: step.filled });
    }
  }
}

/** Runs a step in one transaction, which also writes down that it has ended. */
async function runBrief(
  run: Run,
  number: number,
  step: Step,
  record: (tx: TransactionSql) => Promise<void>,
): Promise<void> {
  const { session, migration, patience } = run;
  if (run.isDivided) await closeAllParts(session.sql);
  const limits =
    step.kind === 'patient'
      ? { lockMs: patience.harmlessLockMs, statementMs: 0 }
      : { lockMs: patience.lockMs, statementMs: migration.isOnline ? patience.statementMs : 0 };
  await tryPatiently({
    ...run,
    what: nameOfStep(run, number),
    attempt: async (vacuumed) => {
      await session.sql.begin(async (tx) => {
        await assertTurn(tx);
        await waitForVacuum(tx, vacuumed, patience.giveUpMs);
        await runStatements(tx, nameOfStep(run, number), step.statements, limits);
        await record(tx);
      });
    },
  });
}

/**
 * Waits until tables are not vacuumed. This lock keeps nobody out but who vacuums, so it is waited for long enough that
 * Postgres ends an automatic vacuum for it, which it does after a second.
 */
async function waitForVacuum(tx: TransactionSql, tables: readonly string[], lockMs: number): Promise<void> {
  if (tables.length === 0) return;
  await tx.unsafe(`set local lock_timeout = ${lockMs}`);
  for (const table of tables) await tx.unsafe(`lock table ${table} in share update exclusive mode`);
}
