import type { Database, Sql } from '@parley/db';
import type { Servers } from '@parley/log';
import type { SweptRealms } from '@parley/model';

/** So many organizations a statement that looks for work names at most. */
const portionMax = 1000;

/** Looks for work in the organizations that a database holds; answers with what it found. */
export type Sweeping<Found> = (db: Database, realmIds: SweptRealms, sql: Sql) => Promise<Found>;

interface Server {
  db: Database;
  sql: Sql;
}

/** A server, and the organizations that it holds. */
interface Holder {
  realmIds: readonly number[];
  readonly ask: <Result>(work: (server: Server) => Promise<Result>) => Promise<Result>;
}

interface SweepDeps extends Server {
  servers: Servers<Server>;
}

/**
 * Looks for work in all organizations; answers with what was found in each portion of them. Where several servers hold them,
 * each is asked about its own: one that is away keeps nobody else's work waiting, and fails the sweep once the others have
 * been asked.
 */
export async function sweep<Found>({ db, sql, servers }: SweepDeps, work: Sweeping<Found>): Promise<Found[]> {
  if (!(await servers.areSeveral)) return [await work(db, null, sql)];
  return await askInPortions(await holdersOfAll(sql, servers), work);
}

/** Does something at each server that holds organizations, once, however many they are. One that is away keeps no other waiting. */
export async function atEachServer<Result>(
  { db, sql, servers }: SweepDeps,
  work: (db: Database) => Promise<Result>,
): Promise<Result[]> {
  if (!(await servers.areSeveral)) return [await work(db)];
  const holders = await holdersOfAll(sql, servers);
  return await untilAllAnswered(holders.map(({ ask }) => ask((server) => work(server.db))));
}

/** Asks each server about what it holds, portion by portion, and all servers at the same time. */
export async function askInPortions<Found>(
  holders: readonly Holder[],
  work: Sweeping<Found>,
): Promise<Found[]> {
  const found = await untilAllAnswered(
    holders.map(async ({ realmIds, ask }) => {
      const ofServer: Found[] = [];
      for (let first = 0; first < realmIds.length; first += portionMax) {
        const portion = realmIds.slice(first, first + portionMax);
        ofServer.push(await ask(({ db, sql }) => work(db, portion, sql)));
      }
      return ofServer;
    }),
  );
  return found.flat();
}

async function holdersOfAll(sql: Sql, servers: Servers<Server>): Promise<readonly Holder[]> {
  const realms = await sql<{ id: number }[]>`select id from realms order by id`;
  return await servers.holdersOf(realms.map(({ id }) => id));
}

async function untilAllAnswered<Result>(answers: readonly Promise<Result>[]): Promise<Result[]> {
  const outcomes = await Promise.allSettled(answers);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
