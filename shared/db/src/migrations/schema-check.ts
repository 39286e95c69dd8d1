import type { Sql } from '../connect.ts';
import { readMigrationState } from './migration-state.ts';

/**
 * Answers whether the database has every migration of this version, so that its nodes can serve. A yes is remembered; a
 * database that cannot be asked is a no.
 */
export function createSchemaCheck(sql: Sql): () => Promise<boolean> {
  let isMigrated = false;
  return async () => {
    if (isMigrated) return true;
    const state = await readMigrationState(sql).catch(() => null);
    isMigrated = state !== null && state.pending.length === 0;
    return isMigrated;
  };
}
