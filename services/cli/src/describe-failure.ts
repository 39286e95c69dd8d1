import { MigrationError, isDatabaseUnavailable } from '@parley/db';
import { ApiError } from '@parley/protocol';

import { Refusal } from './refusal.ts';

interface Failure {
  error: string;
  hint?: string;
}

/** Returns what is shown of an error: what is wrong, and what to do next. It never has the parameters of a query. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof Refusal) {
    return { error: error.message, ...(error.hint !== undefined && { hint: error.hint }) };
  }
  if (error instanceof ApiError || error instanceof MigrationError) return { error: error.message };
  if (isDatabaseUnavailable(error)) {
    return {
      error: 'Postgres does not answer.',
      hint: 'Check DATABASE_URL, and run `parley health` for details.',
    };
  }
  const cause = causeOf(error);
  if (isMissingTable(cause)) {
    return {
      error: 'The database schema is missing or out of date.',
      hint: 'Update it: parley migrate',
    };
  }
  return { error: cause instanceof Error ? cause.message : String(cause) };
}

/** The driver's error inside that of a query, which names the query's parameters. */
function causeOf(error: unknown): unknown {
  const isOfQuery = error instanceof Error && 'query' in error && error.cause instanceof Error;
  return isOfQuery ? error.cause : error;
}

/** Whether Postgres knows no such table or column. */
const isMissingTable = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === '42P01' || error.code === '42703');

/** Returns the failure as a person reads it. */
export const failureText = ({ error, hint }: Failure) => (hint === undefined ? error : `${error}\n${hint}`);
