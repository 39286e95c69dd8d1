import { expect, test } from 'vitest';

import { connectSql, isConflict } from './connect.ts';

test.each([
  ['', 5],
  ['?connect_timeout=60', 60],
  ['?connect_timeout=0', 5],
  ['?connect_timeout=-1', 5],
  ['?connect_timeout=soon', 5],
  ['?connect_timeout=1000000', 600],
])('a URL that ends in %j gives a connection so many seconds to open: %i', async (query, seconds) => {
  // It connects when it is first asked for something.
  const sql = connectSql({ url: `postgres://somebody@localhost/somewhere${query}`, name: 'test', max: 1 });
  expect(sql.options.connect_timeout).toBe(seconds);
  await sql.end();
});

test.each([
  ['a part of a table has been divided', 'XX000', 'LookupShardRelationFromCatalog', true],
  ['a part of the tables has been closed', '0A000', 'CreateDistributedPlannedStmt', true],
  ['a part of the tables has been closed in between', '0A000', 'DeferErrorIfModifyView', true],
  ['Citus has no plan for a statement', '0A000', 'RouterJob', false],
])('a statement is asked again where %s: code %s of %s, %s', (_, code, routine, expected) => {
  const error = new Error('refused', { cause: Object.assign(new Error('refused'), { code, routine }) });
  expect(isConflict(error)).toBe(expected);
});

test('a statement is asked again where a part of the tables has been closed before it has found all functions', () => {
  const refused = (name: string, code = '42883') =>
    new Error('refused', { cause: Object.assign(new Error(`function f(${name}) does not exist`), { code }) });
  expect(isConflict(refused('closed_102017_16942.realm_heads'))).toBe(true);
  expect(isConflict(refused('realm_heads'))).toBe(false);
  expect(isConflict(refused('closed_102017_16942.realm_heads', '22P02')), 'what a value says').toBe(false);
});
