import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';

const migrationsFolder = new URL('../migrations', import.meta.url).pathname;
/** Any number that nothing else in the database uses as an advisory lock. */
const migrationLock = 8_712_001;

/** Brings the schema up to date. Safe to call from several processes at once: they take turns. */
export async function migrate(url: string): Promise<void> {
  const client = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => undefined });
  try {
    await client`select pg_advisory_lock(${migrationLock})`;
    await runMigrations(drizzle(client), { migrationsFolder });
  } finally {
    await client.end({ timeout: 5 });
  }
}
