import { readFunctions } from '@parley/db';
import { expect, test } from 'vitest';

import { filesIn, isTest, sourceFile, type SourceFile } from './source-files.ts';
import { statementsOf } from './statements.ts';

/** What stands for a value that the statement is given. */
const given = '$given';
/** A statement that is about one organization says so. Those about several ask their servers about all of them. */
const ofOne = /\brealm_id = (?:\$given|p_realm)\b/;

/** Returns a statement without comments, in which values are all alike. */
function bare(statement: string): string {
  let text = statement.replaceAll(/--.*$|\/\*[\s\S]*?\*\//gm, '');
  // From the inside to the outside.
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replaceAll(/\$\{[^{}]*\}/g, given).replaceAll(/\{[^{}$]*\}/g, '');
  }
  return text.replaceAll(/\s+/g, ' ');
}

interface Part {
  /** What stands before its parenthesis. */
  before: string;
  text: string;
}

/** Returns what stands in parentheses and begins with `select`. */
function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  const open: number[] = [];
  for (const [at, character] of [...text].entries()) {
    if (character === '(') open.push(at);
    if (character !== ')') continue;
    const from = open.pop() ?? at;
    const inside = text.slice(from + 1, at).trim();
    if (/^select\b/.test(inside)) parts.push({ before: text.slice(0, from).trim(), text: inside });
  }
  return parts;
}

/** Postgres makes one query of these and what is around them, with one organization. */
const joined = /\b(?:exists|in)$/;

/**
 * Returns the parts of a statement that take their organization from what is around them. Postgres asks such a part row by row,
 * so nothing in it says which organization it is about, and the whole is planned for those of all servers.
 */
function borrowedIn(statement: string): string[] {
  const text = bare(statement);
  if (!ofOne.test(text)) return [];
  return partsOf(text).flatMap(({ before, text: part }) => {
    if (joined.test(before)) return [];
    return part.split(/\b(?:union(?: all)?|except|intersect)\b/).filter((one) => {
      const names = new Set(
        [...one.matchAll(/\b(?:from|join|update|using) (\w+)(?: (?:as )?(\w+))?/g)].flatMap(
          ([, table, alias]) => [table, alias],
        ),
      );
      const borrowed = [...one.matchAll(/(?:\b(\w+)\.)?\brealm_id = (\w+)\.realm_id\b/g)].some(
        ([, own, other]) => (own === undefined || names.has(own)) !== names.has(other),
      );
      return borrowed && !ofOne.test(one);
    });
  });
}

const offencesOf = (file: SourceFile): string[] =>
  statementsOf(file).flatMap((statement) => borrowedIn(statement).map((part) => `${file.path}: ${part}`));

test.each([
  [
    'select id, (select count(*) from reactions r where r.realm_id = m.realm_id and r.message_id = m.id) from messages m where m.realm_id = ${id}',
    1,
  ],
  [
    'select id, (select count(*) from reactions r where r.realm_id = ${id} and r.message_id = m.id) from messages m where m.realm_id = ${id}',
    0,
  ],
  [
    'select from topics t cross join lateral (select id from messages where realm_id = t.realm_id and topic_id = t.id limit 1) m where t.realm_id = ${id}',
    1,
  ],
  [
    'select from topics t cross join lateral (select id from messages where realm_id = ${a(b.map(() => ({})))} and topic_id = t.id limit 1) m where t.realm_id = ${id}',
    0,
  ],
  [
    'select from users u cross join lateral (select 1 from topics where realm_id = ${id} union select 1 from messages m where m.realm_id = u.realm_id) x where u.realm_id = ${id}',
    1,
  ],
  [
    'select from users u where u.realm_id = ${id} and exists (select from messages m where m.realm_id = u.realm_id)',
    0,
  ],
  [
    'select (select 1 from users u join messages m on m.realm_id = u.realm_id where u.realm_id = ${id}) from topics t where t.realm_id = ${id}',
    0,
  ],
  ['select (select 1 from messages m where m.realm_id = u.realm_id) from users u where ${ofRealms}', 0],
])('%s', (statement, count) => {
  expect(offencesOf(sourceFile('shared/model/src/x.ts', `const x = sql\`${statement}\`;`))).toHaveLength(
    count,
  );
});

test('parts of a statement about one organization say which it is', () => {
  const files = [...filesIn('services'), ...filesIn('shared')].filter(
    (file) => !isTest(file) && !file.path.endsWith('.sql'),
  );
  expect(files.length).toBeGreaterThan(500);
  expect([...new Set(files.flatMap(offencesOf))]).toEqual([]);
});

test('so do parts of statements of functions, as they are on several servers', async () => {
  const functions = await readFunctions(true);
  expect(functions.length).toBeGreaterThan(10);
  const files = functions.map((text) => sourceFile(`${/function (\w+)/.exec(text)?.[1]}.sql`, text));
  expect([...new Set(files.flatMap(offencesOf))]).toEqual([]);
});

/** Citus pushes such a part down to servers only where the whole is about one organization. */
const barriersOf = (file: SourceFile): string[] =>
  statementsOf(file)
    .filter((statement) => /\bisSwept\(/.test(statement) && /\boffset\b/i.test(statement))
    .map((statement) => `${file.path}: ${statement}`);

test('statements about several organizations have no offset by which Postgres plans a part by itself', () => {
  const select =
    'select from realms r cross join lateral (select from users where realm_id = r.id offset 0) u';
  const among = 'const x = sql`' + select + ' where ${isSwept(sql`r.id`, ids)}`;';
  expect(barriersOf(sourceFile('shared/model/src/x.ts', among))).toHaveLength(1);
  expect(barriersOf(sourceFile('shared/model/src/x.ts', among.replace('offset 0', '')))).toEqual([]);
  const files = [...filesIn('services'), ...filesIn('shared')].filter((file) => !isTest(file));
  expect(files.flatMap(barriersOf)).toEqual([]);
});
