import { connectSql } from '@parley/db';
import { expect, test } from 'vitest';

import { createDatabase } from '../support/database.ts';
import { faultsOfKeys } from './realm-keys.ts';

test('tables can be divided by organization', async () => {
  await using database = await createDatabase();
  const sql = connectSql({ url: database.url, name: 'test', max: 1 });
  expect(await faultsOfKeys(sql)).toEqual([]);
  await sql.end({ timeout: 5 });
});

test('a table, a key or a foreign key that cannot be divided by organization is found', async () => {
  await using database = await createDatabase();
  const sql = connectSql({ url: database.url, name: 'test', max: 1 });
  const before = new Set(await faultsOfKeys(sql));
  await sql.unsafe(`
    create table good (realm_id int not null references realms, id int, primary key (realm_id, id));
    create table good_parts (
      realm_id int not null, number int, good_id int,
      primary key (realm_id, number), foreign key (realm_id, good_id) references good
    );
    create table lacking (id int);
    create table nullable (realm_id int, id int);
    create table behind (id int unique, realm_id int not null references realms, primary key (id, realm_id));
    create table crossing (
      realm_id int not null, good_id int, constraint crossed foreign key (good_id, realm_id) references good
    );
    create table alone (realm_id int not null, behind_id int references behind (id));
    create unique index good_words on good (lower(id::text));
  `);
  const found = (await faultsOfKeys(sql)).filter((fault) => !before.has(fault));
  expect(found).toEqual([
    'alone: alone_behind_id_fkey may lead to another organization',
    'behind: behind_id_key does not begin with realm_id',
    'behind: behind_pkey does not begin with realm_id',
    'crossing: crossed may lead to another organization',
    'good: good_words does not begin with realm_id',
    'lacking has no realm_id',
    'nullable has no realm_id',
  ]);
  await sql.end({ timeout: 5 });
});
