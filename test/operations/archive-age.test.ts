import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { connectSql } from '@parley/db';
import { type Postgres, startPostgres } from '@parley/infra';
import { measureDatabase } from '@parley/worker';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { scrape } from '../support/index.ts';

const name = 'parley_archive_age_seconds';
let folder: string;
let postgres: Postgres;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-archiver-'));
  postgres = await startPostgres({ dir: folder, durable: false, say: () => {} });
});
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true });
});

/** Runs statements on the server one by one. */
async function run(...statements: string[]): Promise<void> {
  const sql = connectSql({ url: postgres.url, name: 'test', max: 1 });
  for (const statement of statements) await sql.unsafe(statement);
  await sql.end();
}

/** What a worker of this server measures; null if that is nothing. */
async function readAge(): Promise<number | null> {
  const sql = connectSql({ url: postgres.url, name: 'test', max: 1 });
  const measuring = measureDatabase(sql);
  const measured = await scrape();
  measuring[Symbol.dispose]();
  await sql.end();
  const isMeasured = measured.valuesOf(name, 'none').length > 0;
  return isMeasured ? measured.of(name) : null;
}

const untilAge = (isSo: (age: number) => boolean) =>
  vi.waitUntil(async () => isSo((await readAge()) ?? Number.NaN), { timeout: 60_000 });

test('the archive has an age while it lacks what was written, and none where there is no archive', async () => {
  const write = 'create table written as select generate_series(1, 2000) n';
  await run(write);
  expect(await readAge()).toBeNull();

  await run(`alter system set archive_mode = on`, `alter system set archive_command = 'true'`);
  await postgres.restart?.();
  await run('select pg_switch_wal()');
  await untilAge((age) => age === 0);
  // Nobody works: what the server writes for itself is nothing that a backup lacks.
  await run('checkpoint', 'checkpoint');
  expect(await readAge()).toBe(0);

  // Nothing fails, but the segment is not full, and nothing ends it.
  await run('drop table written', write);
  await untilAge((age) => age > 0);
  await run('select pg_switch_wal()');
  await untilAge((age) => age === 0);

  await run(
    `alter system set archive_command = 'false'`,
    'select pg_reload_conf()',
    'drop table written',
    write,
  );
  await run('select pg_switch_wal()');
  await untilAge((age) => age > 0);
  await run(`alter system set archive_command = 'true'`, 'select pg_reload_conf()');
  await untilAge((age) => age === 0);
});
