import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { temporaryFolder, type TemporaryFolder } from '../machine/temporary-folder.test-support.ts';
import { eventually } from '../testing/eventually.ts';
import { startPostgres } from './start-postgres.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

async function query(url: string, text: string): Promise<unknown[]> {
  const sql = postgres(url, { max: 1, fetch_types: false });
  try {
    return await sql.unsafe(text);
  } finally {
    await sql.end();
  }
}

describe('startPostgres', () => {
  test('keeps its data over a stop, a kill and a restart', async () => {
    const said: string[] = [];
    const options = { dir: folder.path, durable: false, say: (line: string) => void said.push(line) };
    {
      await using first = await startPostgres(options);
      await query(first.url, 'create table kept as select 1 as one');
    }
    await using second = await startPostgres(options);
    expect(await query(second.url, 'select one from kept')).toEqual([{ one: 1 }]);

    const before = Number(second.pid);
    process.kill(before, 'SIGKILL');
    await eventually(() =>
      query(second.url, 'select one from kept').then(
        () => true,
        () => false,
      ),
    );
    expect(said).toContain(`postgres (pid ${before}) was killed by SIGKILL; restarting as pid ${second.pid}`);

    await second.restart?.();
    expect(await query(second.url, 'select one from kept')).toEqual([{ one: 1 }]);
  });

  test('takes 400 connections and knows letters outside ASCII', async () => {
    await using server = await startPostgres({ dir: folder.path, durable: true, say: () => {} });
    const asked = `select current_setting('max_connections') as many, current_setting('fsync') as safe, lower('ŻÓŁĆ') as low`;
    expect(await query(server.url, asked)).toEqual([{ many: '400', safe: 'on', low: 'żółć' }]);
  });

  test('takes a database that is there already, and leaves it running', async () => {
    await using server = await startPostgres({ dir: folder.path, durable: false, say: () => {} });
    const given = await startPostgres({ dir: folder.path, url: server.url, durable: false });
    expect(given).toMatchObject({ url: server.url, source: 'DATABASE_URL' });
    await given.stop();
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('says so when the given database does not answer', async () => {
    const url = 'postgres://parley@127.0.0.1:9/parley';
    await expect(startPostgres({ dir: folder.path, url, durable: false })).rejects.toThrow('DATABASE_URL');
  });
});
