import { readFile, readdir } from 'node:fs/promises';

import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';

const migrationsFolder = new URL('../migrations', import.meta.url).pathname;
const functionsFolder = new URL('../functions/', import.meta.url);
/** An arbitrary number that nothing else in the database uses as an advisory lock. */
const migrationLock = 8_712_001;

/**
 * Brings the schema and the functions up to date. It is safe to call from several processes at once: they take turns.
 */
export async function migrate(url: string): Promise<void> {
  const client = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => undefined });
  try {
    await client`select pg_advisory_lock(${migrationLock})`;
    await runMigrations(drizzle(client), { migrationsFolder });
    const functions = (await readFunctions()).join('\n');
    await client.begin((tx) => tx.unsafe(functions));
  } finally {
    await client.end({ timeout: 5 });
  }
}

async function readFunctions(): Promise<string[]> {
  const names = (await readdir(functionsFolder)).sort();
  return await Promise.all(names.map((name) => readFile(new URL(name, functionsFolder), 'utf8')));
}
