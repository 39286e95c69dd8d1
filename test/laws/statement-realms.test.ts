import { tables } from '@parley/db';
import { getTableName } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { type Node, Visitor, parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

import { sweeps } from './fixtures/statement-realms.ts';
import { ofServers } from './realm-keys.ts';
import { type SourceFile, filesIn, isTest, sourceFile } from './source-files.ts';
import { statementsOf } from './statements.ts';

/** Tables of organizations of which every statement says whose rows it means, by their names in SQL, and those in the code. */
const bound = new Map(
  Object.entries(tables).flatMap(([inCode, table]) => {
    if (!(table instanceof PgTable)) return [];
    const name = getTableName(table);
    return name in ofServers ? [] : [[name, inCode] as const];
  }),
);
const inSql = [...bound.keys()].join('|');
const inCode = [...bound.values()].join('|');

/** Fragments of a statement that say the realm. */
const fragments =
  /\$\{(?:ofRealms?\}|(?:await )?(?:model\.\w+\.)?(?:readableMessageCondition|movesOf|isOfPage)\()/;

/** Words that follow a table which has no other name in the statement. */
const keywords = new Set(
  'where set order limit cross left join on group union for overriding with'.split(' '),
);

/** The mentions of such tables in a statement that do not say the realm. */
function unboundIn(statement: string): string[] {
  const bare = statement.replaceAll(/--.*$|\/\*[\s\S]*?\*\//gm, '');
  const mention = new RegExp(
    String.raw`\b(from|join|update|into|using)\s+(${inSql})\b(?:\s+(?:as\s+)?([a-z]\w*))?`,
    'g',
  );
  return [...bare.matchAll(mention)].flatMap(({ index, 1: verb = '', 2: table = '', 3: word = '' }) => {
    // Up to where another table is named.
    const behind =
      /^\w+[\s\S]*?(?=(?<!\.)\b(?:from|join|update|into|using)\s|$)/.exec(bare.slice(index))?.[0] ?? '';
    if (verb === 'into') {
      const names = /^into\s+\w+(?:\s+as\s+\w+)?\s*\(([^)]*)/.exec(behind)?.[1] ?? '';
      return /\brealm_id\b|^\$\{/.test(names) ? [] : [table];
    }
    const alias = keywords.has(word) ? '' : word;
    const isSaid =
      new RegExp(String.raw`\b${alias || table}\.realm_id\b`).test(bare) ||
      (alias === '' && /(?<![.\w])realm_id\b/.test(behind));
    return isSaid || fragments.test(bare) ? [] : [table];
  });
}

/**
 * Queries of Drizzle for rows of such tables that do not name their realm. What it inserts names the realm, or does not compile.
 * What the file calls a condition on the table, and looks for no rows of it, may say it.
 */
function unboundQueries({ path, text }: SourceFile): string[] {
  const asked = new RegExp(
    String.raw`\.(?:from|update|delete|innerJoin|leftJoin)\(\s*(?:tables\.)?(${inCode})\b`,
    'g',
  );
  const functions: { start: number; end: number }[] = [];
  /** Calls, each with where what is called ends. */
  const calls: { start: number; end: number; calledEnd: number }[] = [];
  const named: { name: string; written: string; start: number }[] = [];
  const keep = ({ start, end }: Node) => functions.push({ start, end });
  const keepNamed = (id: Node | null, { start, end }: Node) => {
    if (id?.type === 'Identifier') named.push({ name: id.name, written: text.slice(start, end), start });
  };
  new Visitor({
    FunctionDeclaration(node) {
      keep(node);
      keepNamed(node.id, node);
    },
    VariableDeclarator({ id, init }) {
      if (init) keepNamed(id, init);
    },
    CallExpression({ start, end, callee }) {
      calls.push({ start, end, calledEnd: callee.end });
    },
    ArrowFunctionExpression: keep,
    FunctionExpression: keep,
  }).visit(parseSync(path, text).program);
  return [...text.matchAll(asked)].flatMap((match) => {
    const around = functions
      .filter(({ start, end }) => start <= match.index && match.index < end)
      .sort((a, b) => b.end - b.start - (a.end - a.start))[0];
    const body = around ? text.slice(around.start, around.end) : text;
    const [, table = ''] = match;
    if (isSweep(path, body)) return [];
    const says = new RegExp(
      String.raw`\b${table}\.realmId\b|\b(?:isOfUser|hasId)\(\s*(?:tables\.)?${table}\b`,
    );
    const isHere = (start: number) => around !== undefined && around.start < start && start < around.end;
    const conditions = named.filter(
      ({ written, start }) =>
        (isHere(start) || functions.some((one) => one.start === start)) &&
        says.test(written) &&
        [...written.matchAll(asked)].every((one) => one[1] !== table),
    );
    // From the beginning of the query to the last method that is called on it.
    const end = Math.max(
      ...calls.flatMap((one) => (one.start <= match.index && match.index < one.calledEnd ? [one.end] : [])),
    );
    const query = text.slice(match.index, end);
    const isSaid =
      says.test(query) || conditions.some(({ name }) => new RegExp(String.raw`\b${name}\b`).test(query));
    return isSaid ? [] : [table];
  });
}

const isSweep = (path: string, statement: string) =>
  Object.keys(sweeps).some((key) => {
    const [sweeping, part = ''] = key.split(': ');
    return sweeping === path && statement.includes(part);
  });

/** What a file looks for without saying the realm, as `path: table`. */
const offencesOf = (file: SourceFile): string[] => [
  ...statementsOf(file)
    .filter((statement) => !isSweep(file.path, statement))
    .flatMap(unboundIn)
    .map((table) => `${file.path}: ${table}`),
  ...(file.path.endsWith('.sql') ? [] : unboundQueries(file)).map((table) => `${file.path}: ${table}`),
];

test.each([
  ['`select id from messages where id = ${id}`', ['messages']],
  ['`select id from messages where realm_id = ${realmId} and id = ${id}`', []],
  [
    '`select m.id from messages m join message_flags f on f.message_id = m.id where m.realm_id = ${r}`',
    ['message_flags'],
  ],
  [
    '`select from messages where realm_id = 1 union select from reactions where message_id = 2`',
    ['reactions'],
  ],
  [
    '`select from messages m join topics t on t.id = m.topic_id where m.realm_id = ${r} and m.id = ${id}`',
    ['topics'],
  ],
  ['`insert into reactions (message_id, user_id) values (1, 2)`', ['reactions']],
  ['`insert into reactions (realm_id, message_id, user_id) values (1, 2, 3)`', []],
  ['`insert into reactions as r (realm_id, message_id) values (1, 2)`', []],
])('%s', (statement, tables) => {
  const file = sourceFile('shared/model/src/x.ts', `const x = sql${statement};`);
  expect(offencesOf(file)).toEqual(tables.map((table) => `${file.path}: ${table}`));
});

test.each([
  ['const find = (tx, id) => tx.select().from(messages).where(eq(messages.id, id));', ['messages']],
  [
    'const find = (tx, realmId: number, id) => tx.select().from(messages).where(eq(messages.id, id));',
    ['messages'],
  ],
  ['const find = (tx, id) => tx.update(userTopics).where(eq(userTopics.topicId, id));', ['userTopics']],
  ['const find = (tx, realm, id) => tx.select().from(topics).where(hasId(topics, realm, id));', []],
  [
    'const ofRealm = (id) => eq(topics.realmId, id); const find = (tx, id) => tx.select().from(topics).where(ofRealm(id));',
    [],
  ],
  [
    'const one = (tx) => { const at = eq(topics.realmId, 1); }; const find = (tx, id) => { const at = eq(topics.id, id); tx.select().from(topics).where(at); };',
    ['topics'],
  ],
  [
    'const one = (tx, id) => tx.select().from(topics).where(eq(topics.realmId, id)); const find = (tx, id) => one(tx, id) ?? tx.delete(topics);',
    ['topics'],
  ],
  [
    'const find = (tx, id) => { const rows = tx.select().from(topics).where(eq(topics.realmId, 1)); tx.delete(topics).where(eq(topics.id, rows[0].id)); };',
    ['topics'],
  ],
  [
    'const find = (tx, id) => { const isOf = and(eq(topics.realmId, 1), eq(topics.id, id)); tx.delete(topics).where(isOf); };',
    [],
  ],
  [
    'const find = (tx, id) => tx.delete(tables.reactions).where(and(eq(reactions.realmId, 1), eq(reactions.messageId, id)));',
    [],
  ],
])('%s', (text, tables) => {
  const file = sourceFile('shared/model/src/x.ts', text);
  expect(offencesOf(file)).toEqual(tables.map((table) => `${file.path}: ${table}`));
});

test('statements say the realm, but for sweeps that are listed', () => {
  const files = [...filesIn('services'), ...filesIn('shared')].filter(
    (file) => !isTest(file) && !file.path.startsWith('shared/db/migrations/'),
  );
  expect(files.length).toBeGreaterThan(500);
  expect([...new Set(files.flatMap(offencesOf))]).toEqual([]);
});
