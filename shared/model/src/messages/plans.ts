import type { Tx } from '@parley/db';
import { type SQL, sql } from 'drizzle-orm';

const ofValues = sql`'force_custom_plan'`;
/** What is mostly in memory: any page of a table costs little more than the one behind it. */
const usualCosts = {
  seq_page_cost: '1',
  random_page_cost: '1.1',
  enable_seqscan: 'on',
  enable_bitmapscan: 'on',
};
/** Indexes are read in their order, and what costs is how many rows are looked at, wherever they are. */
const costsOfRows = {
  seq_page_cost: '0.01',
  random_page_cost: '0.01',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
};

/** Each setting ends with the transaction. A statement that has a parameter is prepared, and to parse it takes longest. */
async function set(tx: Tx, plans: SQL, settings: Readonly<Record<string, string>>): Promise<void> {
  const others = Object.entries(settings).map(
    ([name, value]) => sql`, set_config('${sql.raw(name)}', '${sql.raw(value)}', until_end)`,
  );
  await tx.execute(sql`
    select set_config('plan_cache_mode', ${plans}, until_end)${sql.join(others)}
    from (select ${true}::boolean as until_end) setting`);
}

/**
 * Lets each statement of the rest of a transaction be planned for its values: those whose best way depends on how much
 * somebody has of something. Otherwise Postgres keeps a plan that cost no more than those of the first values did.
 */
export const planForValues = (tx: Tx): Promise<void> => set(tx, ofValues, {});

/**
 * Lets the rest of a transaction read indexes in their order until enough is found, where Postgres would read much at once
 * and sort it. It is so little that to start another process for a part of it would take longer.
 *
 * Where one plan fits all values it is kept, because to make it takes longer than to run it. It is the one that looks at the
 * fewest rows: otherwise Postgres would find the messages of a channel among all of the realm, which lie in their order, and
 * would combine an index with that of a realm of usual size, for the largest as well.
 */
export const readInOrder = (tx: Tx, { hasOnePlan }: { hasOnePlan: boolean }): Promise<void> =>
  set(tx, hasOnePlan ? sql`plans_for_all()` : ofValues, {
    max_parallel_workers_per_gather: '0',
    ...(hasOnePlan ? costsOfRows : usualCosts),
  });

/**
 * Lets each statement of the rest of a transaction have one plan for all values: those that read a page by its ids have no
 * other way to, and to plan them takes longer than to run them. Where Citus finds the part of a table that a statement is
 * about, it has a plan for each organization.
 */
export const readByIds = (tx: Tx): Promise<void> => set(tx, sql`plans_for_all()`, usualCosts);
