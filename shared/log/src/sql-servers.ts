import type { Sql } from '@parley/db';

/** Realms, and the server that holds them. */
export interface Share {
  realmIds: readonly number[];
  /** Asks that server. It fails soon where the server hangs. */
  readonly ask: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;
}

/** The servers that hold realms: one Postgres, or several of a divided database. */
export interface SqlServers {
  /** Whether there are several. Statements then say the realms that they are about, so that no other server is asked. */
  readonly areSeveral: Promise<boolean>;
  sqlOf(realmId: number): Promise<Sql>;
  /** Returns realms by the servers that hold them. One server is not asked where they are. */
  byServer(realmIds: readonly number[]): Promise<Share[]>;
  /** Does work that waits for the server of a realm. Where there are several, it fails soon if that one hangs. */
  whileAnswering<Result>(realmId: number, work: () => Promise<Result>): Promise<Result>;
}

/** Returns one Postgres as the server of all realms. Somebody else watches whether it hangs. */
export const oneServer = (sql: Sql): SqlServers => ({
  areSeveral: Promise.resolve(false),
  sqlOf: async () => sql,
  byServer: async (realmIds) => [{ realmIds, ask: (work) => work(sql) }],
  whileAnswering: (_, work) => work(),
});
