import type { Sql } from '@parley/db';

/** A transaction that writes rows. */
export type Writing = Parameters<Parameters<Sql['begin']>[1]>[0];

/** How long one statement of an import may take. */
const statementSeconds = 300;

/** Runs statements in one transaction, which has more time than those that somebody waits for. */
export const inTransaction = async <Result>(
  sql: Sql,
  write: (tx: Writing) => Promise<Result>,
): Promise<Result> => {
  const result = await sql.begin(async (tx) => {
    await tx.unsafe(`set local statement_timeout = '${statementSeconds}s'`);
    await tx.unsafe(`set local lock_timeout = '60s'`);
    // Between rows, HTML is made.
    await tx.unsafe(`set local idle_in_transaction_session_timeout = 0`);
    return await write(tx);
  });
  // Safe: a function's result is no array of promises.
  return result as Result;
};
