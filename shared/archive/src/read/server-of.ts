import type { Database, Sql } from '@parley/db';
import type { Engine } from '@parley/engine';

/** Finds the server that holds an organization: what an import writes of it concerns that one alone. */
export async function serverOf(
  { servers, dbOf }: Pick<Engine, 'servers' | 'dbOf'>,
  realmId: number,
): Promise<{ sql: Sql; db: Database }> {
  return { sql: await servers.sqlOf(realmId), db: await dbOf(realmId) };
}
