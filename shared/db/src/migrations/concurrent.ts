import { MigrationError } from './migration-error.ts';
import { tryPatiently } from './patience.ts';
import { beginStep, endStep, findStep } from './progress.ts';
import type { Step } from './read-migrations.ts';
import { type Run, nameOfStep } from './run.ts';
import { type Session, assertTurn } from './session.ts';
import { bareStatement } from './split-statements.ts';
import { failureOf } from './statements.ts';

type IndexState = 'absent' | 'invalid' | 'valid';

/**
 * Builds or drops an index outside of a transaction. What a build left that was cut off is an invalid index: it is
 * dropped, and the index built anew. A build whose end was not written down is not repeated.
 */
export async function runConcurrently(run: Run, number: number, step: Step): Promise<void> {
  const { session, migration, patience } = run;
  const { sql } = session;
  const [statement = ''] = step.statements;
  const [, verb, index] =
    /^(create|drop) (?:unique )?index concurrently (?:if (?:not )?exists )?("[^"]+"|\w+)/i.exec(
      bareStatement(statement),
    ) ?? [];
  if (verb === undefined || index === undefined) {
    throw new MigrationError(`${nameOfStep(run, number)} does not name its index.`);
  }
  const wanted: IndexState = verb.toLowerCase() === 'create' ? 'valid' : 'absent';
  const hasBegun = (await findStep(sql, migration, number, step)) !== null;
  if (!hasBegun) await beginStep(sql, migration, number, step);
  await tryPatiently({
    ...run,
    what: nameOfStep(run, number),
    attempt: async () => {
      await assertTurn(sql);
      await sql.unsafe(`set lock_timeout = ${patience.harmlessLockMs}`);
      await dropInvalid(session, index);
      if (hasBegun && (await stateOf(session, index)) === wanted) return;
      try {
        await sql.unsafe(statement);
      } catch (error) {
        // A half-built index is kept up to date by every write, for nothing.
        await dropInvalid(session, index).catch(() => undefined);
        throw failureOf(nameOfStep(run, number), statement, error);
      }
    },
  });
  await endStep(sql, migration, number);
}

async function stateOf({ sql }: Session, index: string): Promise<IndexState> {
  const [row] = await sql<{ valid: boolean }[]>`
    select indisvalid and indisready as valid from pg_index where indexrelid = to_regclass(${index})`;
  if (!row) return 'absent';
  return row.valid ? 'valid' : 'invalid';
}

async function dropInvalid(session: Session, index: string): Promise<void> {
  if ((await stateOf(session, index)) !== 'invalid') return;
  await session.sql.unsafe(`drop index concurrently if exists ${index}`);
}
