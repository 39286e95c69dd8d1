import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';

import { readTls } from './tls.ts';

const migrationsFolder = new URL('../migrations/', import.meta.url).pathname;
const functionsFolder = new URL('../functions/', import.meta.url);
/** An arbitrary number that nothing else in the database uses as an advisory lock. */
const migrationLock = 8_712_001;

/**
 * Brings the schema and the functions up to date. It is safe to call from several processes at once: they take turns.
 */
export async function migrate(url: string): Promise<void> {
  const { url: address, ssl } = readTls(url);
  const client = postgres(address, {
    ...(ssl && { ssl }),
    max: 1,
    connect_timeout: 10,
    onnotice: () => undefined,
  });
  const folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'));
  try {
    await writeJournal(folder);
    await client`select pg_advisory_lock(${migrationLock})`;
    await runMigrations(drizzle(client), { migrationsFolder: folder });
    const functions = (await readFunctions()).join('\n');
    await client.begin((tx) => tx.unsafe(functions));
  } finally {
    await client.end({ timeout: 5 });
    await rm(folder, { recursive: true, force: true });
  }
}

/** Migrations are run in the order of these times, and those after the time of the last one that was run. */
const firstMigrationAt = 1_795_000_000_001;

/** Returns the migrations in their order. */
export async function listMigrations() {
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort();
  return names.map((name, idx) => {
    if (Number(name.slice(0, 4)) !== idx) throw new Error(`Migration ${idx} is missing before ${name}.`);
    return { idx, tag: name.slice(0, -'.sql'.length), when: firstMigrationAt + idx, breakpoints: false };
  });
}

/**
 * Lays the migrations into a folder with the journal that Drizzle reads beside them. The journal follows from their
 * numbers, so nobody has to keep it.
 */
async function writeJournal(folder: string): Promise<void> {
  const entries = await listMigrations();
  const names = entries.map(({ tag }) => `${tag}.sql`);
  await Promise.all(names.map((name) => copyFile(join(migrationsFolder, name), join(folder, name))));
  await mkdir(join(folder, 'meta'));
  await writeFile(join(folder, 'meta', '_journal.json'), JSON.stringify({ entries }));
}

async function readFunctions(): Promise<string[]> {
  const names = (await readdir(functionsFolder)).sort();
  return await Promise.all(names.map((name) => readFile(new URL(name, functionsFolder), 'utf8')));
}
