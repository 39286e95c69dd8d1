import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { splitStatements } from '@parley/db';
import { describe, expect, test } from 'vitest';

import { lockingStatements, splitByPostgres } from './migration-locks.ts';
import { root } from './source-files.ts';

const folder = join(root, 'shared/db/migrations');
/** Later migrations are run while nodes of the version before go on. */
const lastBefore = 41;
/** Later migrations lock no table out for long. */
const lastLocking = 45;

const files = readdirSync(folder)
  .sort()
  .map((name) => ({
    name,
    number: Number(name.slice(0, 4)),
    sql: readFileSync(join(folder, name), 'utf8'),
  }));

/** What takes away, or asks for, what a node of the version before does not know of. */
const contracting = [
  /\bdrop\s+(?:table|column|view|type|schema)\b/i,
  /\brename\b/i,
  /\balter\s+column\s+\S+\s+(?:set\s+data\s+)?type\b/i,
  /\bset\s+not\s+null\b/i,
  /\badd\s+column\s+(?:if\s+not\s+exists\s+)?\S+\s+(?![^,;]*\bdefault\b)[^,;]*\bnot\s+null\b/i,
];

/**
 * The statements of a migration that the version before does not survive. One that nothing needs any more is preceded by
 * a line `-- contract: why`.
 */
function contractions(sql: string): string[] {
  return sql.split(';').filter((statement) => {
    const isMeant = /^\s*-- contract: \S/m.test(statement);
    const bare = statement.replaceAll(/--.*$/gm, '');
    return !isMeant && contracting.some((pattern) => pattern.test(bare));
  });
}

test('migrations leave what the version before needs', () => {
  const found = files
    .filter(({ number }) => number > lastBefore)
    .flatMap(({ name, sql }) => contractions(sql).map((statement) => `${name}: ${statement.trim()}`));
  expect(found).toEqual([]);
});

test.each([
  ['alter table messages drop column content', 1],
  ['alter table messages add column colour text not null', 1],
  ['alter table messages add column colour text not null default $$red$$', 0],
  ['alter table messages add column colour text', 0],
  ['alter table messages alter column content type bytea', 1],
  ['-- contract: nothing has read it since 0042\nalter table messages drop column content', 0],
  ['-- drop table messages\ncreate index on messages (id)', 0],
])('%s', (sql, count) => {
  expect(contractions(sql)).toHaveLength(count);
});

test('migrations are split into statements as Postgres splits them', () => {
  const tricky = `select 'a;''b', "c;d", $$ e; $$, $x$ f; $$ ; $x$, '\\'; -- g;\n/* h; */ select 1;;\nselect -- i\n 2`;
  for (const sql of [tricky, ...files.map((file) => file.sql)]) {
    expect(splitStatements(sql)).toEqual(splitByPostgres(sql).map((statement) => statement.trim()));
  }
});

test('migrations lock no table out while they look at its rows', () => {
  const later = files.filter(({ number }) => number > lastLocking);
  expect(lockingStatements(later.map(({ sql }) => sql))).toEqual([]);
});

const online = (sql: string) => `-- online\n${sql}`;
const filled =
  'alter table messages add constraint filled check (a is not null and b is not null) not valid;';

describe('a statement that locks a table out for long is found', () => {
  test.each([
    'create index on messages (id)',
    'create unique index by_id on messages (id)',
    'create index concurrently by_id on messages (id)',
    online('begin; create index concurrently by_id on messages (id); commit;'),
    online('create index concurrently on messages (id)'),
    'drop index concurrently by_id',
    'reindex table messages',
    online('reindex index concurrently by_id'),
    'alter table messages alter column id type bigint',
    online('alter table messages alter column id set data type bigint'),
    'alter table messages add column key uuid default gen_random_uuid()',
    "alter table messages add column key text default lower(md5(random()::text)) || 'x'",
    'alter table messages add column key bigserial',
    'alter table messages add column key bigint generated always as identity',
    'alter table messages add column twice int generated always as (id * 2) stored',
    'alter table messages add column key int unique',
    'alter table messages add column key int primary key',
    'alter table messages add column key int check (key > 0)',
    'alter table messages add column key int default 1 references users',
    'alter table messages alter column a set not null',
    `${filled} alter table messages alter column a set not null`,
    online(
      `${filled} alter table messages validate constraint filled; alter table users alter column a set not null`,
    ),
    online(
      'alter table messages add constraint filled check (a is not null or b is not null) not valid; alter table messages validate constraint filled; alter table messages alter column a set not null',
    ),
    'alter table messages add constraint positive check (id > 0)',
    'alter table messages add check (id > 0)',
    'alter table messages add constraint of_user foreign key (sender_id) references users',
    'alter table messages add primary key (id)',
    'alter table messages add constraint once unique (realm_id, id)',
    'alter table messages add constraint apart exclude using gist (id with =)',
    'alter table messages add column a int, add constraint once unique (id)',
    'alter table messages validate constraint filled',
    online('begin; alter table messages validate constraint filled; commit;'),
    online('alter table messages validate constraint one, validate constraint two'),
    'alter table messages set unlogged',
    'alter table messages set tablespace fast',
    'alter table messages attach partition messages_1 for values in (1)',
    'update messages set a = 1',
    'update messages set a = 1 where id = 1',
    'delete from messages where a = 1',
    online('delete from messages where a = 1'),
    'with old as (delete from messages returning *) insert into archived_messages select * from old',
    'merge into messages m using users u on m.id = u.id when matched then delete',
    'truncate messages',
    online('-- backfill messages\nupdate messages set a = 1 where a is null'),
    online('begin;\n-- backfill messages\nupdate messages set a = 1 where portion; commit;'),
    '-- backfill messages\nupdate messages set a = 1 where portion',
    'vacuum full messages',
    'vacuum messages',
    'cluster messages using by_id',
    'lock table messages',
    online('lock table messages'),
    online('begin; select 1; lock table messages; commit;'),
    'begin; select 1; commit;',
    'do $$ begin update messages set a = 1; end $$',
    'call fill()',
    'create table messages_2 (id int); create index on messages (id)',
  ])('%s', (sql) => {
    expect(lockingStatements([sql])).toHaveLength(sql.startsWith('begin') ? 2 : 1);
  });
});

describe('a statement that locks nobody out for long is not found', () => {
  test.each([
    online('create index concurrently by_id on messages (id)'),
    online('create unique index concurrently by_id on messages (id);\ndrop index concurrently by_id'),
    'drop index by_id',
    'create table colours (id int primary key, name text unique); create index on colours (name); update colours set id = 1; alter table colours add check (id > 0)',
    'alter table messages add column colour text',
    "alter table messages add column colour text not null default 'red'",
    'alter table messages add column seen_at timestamptz not null default now()',
    'alter table messages add column colour_id int references colours',
    'alter table messages add constraint positive check (id > 0) not valid',
    'alter table messages add constraint of_user foreign key (sender_id) references users not valid',
    'alter table messages add constraint once unique using index by_id',
    'alter table messages add constraint once primary key using index by_id',
    online('alter table messages validate constraint positive'),
    online(
      `${filled} alter table messages validate constraint filled; begin; lock table messages, users; alter table messages alter column a set not null, alter column b set not null; commit;`,
    ),
    online('-- backfill messages m\nupdate messages m set a = 1 where portion and a is null'),
    online('-- backfill messages\ndelete from messages where portion and a is null'),
    '-- locks: there is one row for each realm\nupdate realms set name = lower(name)',
    "insert into realms (name) values ('a')",
    'create function fill() returns void language plpgsql as $$ begin update messages set a = 1; end $$',
    'create trigger fill before insert on messages for each row execute function fill()',
    'alter table messages drop constraint positive, alter column a drop not null, alter column a set default 1',
    'alter sequence message_ids as bigint',
  ])('%s', (sql) => {
    expect(lockingStatements([sql])).toEqual([]);
  });

  test('may rely on a check that was validated in a migration before', () => {
    const before = online(`${filled} alter table messages validate constraint filled`);
    const after = 'alter table messages alter column a set not null';
    expect(lockingStatements([before, after])).toEqual([]);
    expect(lockingStatements([after, before])).toHaveLength(1);
  });
});
