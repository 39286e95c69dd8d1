import type { TransactionSql } from 'postgres';

import { isStatementTooLong } from '../connect.ts';
import { MigrationError } from './migration-error.ts';
import { isBusy } from './patience.ts';
import type { Step } from './read-migrations.ts';
import { bareStatement } from './split-statements.ts';

const previewLengthMax = 100;
const leastLockMs = 50;

export interface Limits {
  /** How long all statements together wait for locks. */
  lockMs: number;
  /** How long one of them may take; 0 is as long as it takes. */
  statementMs: number;
}

/** The locks of several tables were not had in the time for all of them. */
class LocksTaken extends Error {
  /** That of a lock that was not available. */
  readonly code = '55P03';
}

/**
 * Runs statements in a transaction. Those who wait for the locks of the first go on waiting while others run, so the later
 * ones have what is left of the time to wait. Postgres counts it for each table anew; a `lock table` of several has it for
 * all of them together.
 */
export async function runStatements(
  tx: TransactionSql,
  what: string,
  statements: readonly string[],
  { lockMs, statementMs }: Limits,
): Promise<void> {
  const waitUntilMs = performance.now() + lockMs;
  for (const statement of statements) {
    const leftMs = Math.max(leastLockMs, Math.ceil(waitUntilMs - performance.now()));
    const isLock = /^lock /i.test(bareStatement(statement));
    const limits = `set local lock_timeout = ${leftMs}; set local statement_timeout = ${isLock ? leftMs : statementMs}`;
    try {
      await tx.unsafe(`${limits}; ${statement}`);
    } catch (error) {
      throw isLock && isStatementTooLong(error)
        ? new LocksTaken('The tables are locked.', { cause: error })
        : failureOf(what, statement, error);
    }
  }
}

/** Returns what to throw for what a statement failed with. One whose locks are taken is tried again: that stays as it is. */
export function failureOf(what: string, statement: string, error: unknown): unknown {
  if (isBusy(error) || error instanceof MigrationError || isDisconnection(error)) return error;
  const said = error instanceof Error ? error.message : String(error);
  return new MigrationError(
    `${what} failed: ${said}. Its statement was: ${previewOf(statement)}. What ran before is kept, of this nothing is. ` +
      'When the cause is mended, run `parley migrate` again: it goes on where it was.',
    { cause: error },
  );
}

/** Postgres and its driver say so in codes of their own: it is down, not the statement wrong. */
const isDisconnection = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  /^(?:CONNECTION_|CONNECT_|E[A-Z]+$|57P0|08)/.test(String(error.code));

/** Returns the beginning of a statement. */
function previewOf(statement: string): string {
  const bare = bareStatement(statement);
  return bare.length > previewLengthMax ? `${bare.slice(0, previewLengthMax)} …` : bare;
}

/** Returns what a step does, on a line. */
export function describeStep({ kind, statements, filled }: Step): string {
  if (kind === 'backfill') return `fills ${filled?.table} in portions`;
  return statements.length === 1 ? previewOf(statements[0] ?? '') : `${statements.length} statements at once`;
}
