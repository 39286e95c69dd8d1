import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { tables } from '@parley/db';
import { Column, Table, entityKind, is, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { Redis } from 'ioredis';
import { expect, test, vi } from 'vitest';

import { getWorld } from '../support/world.ts';

const folder = fileURLToPath(new URL('../../patches/', import.meta.url));

test('the README of the patches says of each package and version what its patch is for', async () => {
  const patches = (await readdir(folder)).filter((name) => name.endsWith('.patch'));
  const readme = await readFile(`${folder}README.md`, 'utf8');
  for (const name of patches) {
    expect(readme).toContain(`**${name.replace('.patch', '').replace('+', ' ')}**`);
  }
});

test('the driver of Postgres passes the cases for which it is patched', async () => {
  const { databaseUrl } = await getWorld();
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const args = ['--test', '--test-reporter=tap', `${folder}postgres.test.js`];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...env, DATABASE_URL: databaseUrl },
  });
  expect(stdout).toContain('# pass 19\n# fail 0');
});

test('Drizzle asks a class once what it is, however many statements it builds', () => {
  const asked: string[] = [];
  class Kind {
    readonly name = 'kind';

    static get [entityKind]() {
      asked.push('Kind');
      return 'PgColumn';
    }
  }
  class Other extends Kind {}
  expect([is(new Kind(), Column), is(new Other(), Table)]).toEqual([false, false]);
  const first = asked.length;
  expect([is(new Kind(), Table), is(new Other(), Column), is(new Kind(), Column)]).toEqual([
    false,
    false,
    false,
  ]);
  expect(asked).toHaveLength(first);
});

test('Drizzle finds out once of each part of a statement what it is', () => {
  const columns = Array.from({ length: 100 }, () => sql`${tables.messages.id}`);
  const statement = sql.join(columns, sql`, `);
  const dialect = new PgDialect();
  dialect.sqlToQuery(statement);
  const asked = vi.spyOn(Object, 'getPrototypeOf');
  const { sql: text } = dialect.sqlToQuery(statement);
  const times = asked.mock.calls.length;
  asked.mockRestore();
  expect(text.match(/"id"/g)).toHaveLength(100);
  // The whole, 100 columns, each in a part of its own with the text before and after it, and 99 commas in theirs.
  expect(times).toBeLessThanOrEqual(1 + 100 * 4 + 99 * 2);
});

test('a pipeline has what was defined for its client, without having it defined for itself', () => {
  const redis = new Redis({ lazyConnect: true });
  const define = (name: string) => redis.defineCommand(name, { numberOfKeys: 1, lua: 'return 1' });
  define('first');
  const pipeline = redis.pipeline();
  define('second');
  const next = redis.multi();
  redis.disconnect();
  expect([typeof Reflect.get(pipeline, 'first'), typeof Reflect.get(pipeline, 'second')]).toEqual([
    'function',
    'undefined',
  ]);
  expect([typeof Reflect.get(next, 'first'), typeof Reflect.get(next, 'secondBuffer')]).toEqual([
    'function',
    'function',
  ]);
  expect([Object.hasOwn(pipeline, 'first'), Object.hasOwn(next, 'second')]).toEqual([false, false]);
});
