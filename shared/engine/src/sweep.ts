import type { Database, Sql } from '@parley/db';
import type { Servers } from '@parley/log';
import type { SweptRealms } from '@parley/model';

/** So many organizations a statement that looks for work names at most. */
const portionMax = 1000;

/** Looks for work in the organizations that a database holds. */
export type Sweeping = (db: Database, realmIds: SweptRealms, sql: Sql) => Promise<void>;

/**
 * Looks for work in all organizations. Where several servers hold them, each is asked about its own, in portions: one that
 * is away keeps nobody else's work waiting, and fails the sweep once the others have been asked.
 */
export async function sweep(
  { db, sql, servers }: { db: Database; sql: Sql; servers: Servers<{ db: Database; sql: Sql }> },
  work: Sweeping,
): Promise<void> {
  if (!(await servers.areSeveral)) {
    await work(db, null, sql);
    return;
  }
  const realms = await sql<{ id: number }[]>`select id from realms order by id`;
  const holders = await servers.holdersOf(realms.map(({ id }) => id));
  const outcomes = await Promise.allSettled(
    holders.map(async ({ realmIds, ask }) => {
      for (let first = 0; first < realmIds.length; first += portionMax) {
        const portion = realmIds.slice(first, first + portionMax);
        await ask((server) => work(server.db, portion, server.sql));
      }
    }),
  );
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
