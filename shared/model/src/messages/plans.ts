import type { Tx } from '@parley/db';
import { sql } from 'drizzle-orm';

/** That a setting ends with the transaction. A statement that has a parameter is prepared, and to parse it takes longest. */
export const untilEnd = true;

/**
 * Lets each statement of the rest of a transaction have one plan for all values. Those that read a page by its ids have no
 * other way to, and to plan them takes longer than to run them. Where Citus finds the part of a table that a
 * statement is about, it has a plan for each organization.
 */
export const planOnce = async (tx: Tx): Promise<void> =>
  void (await tx.execute(sql`select set_config('plan_cache_mode', plans_for_all(), ${untilEnd})`));

/**
 * Lets each statement of the rest of a transaction be planned for its values: those whose best way depends on how much
 * somebody has of something. Otherwise Postgres keeps a plan that cost no more than those of the first values did.
 */
export const planForValues = async (tx: Tx): Promise<void> =>
  void (await tx.execute(sql`select set_config('plan_cache_mode', 'force_custom_plan', ${untilEnd})`));
