import { type Node, Visitor, parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

import { type SourceFile, filesIn, isTest, sourceFile } from './source-files.ts';

/**
 * Tables of messages and of what is found by a message's id, by their names in the code. Realms have messages of the same
 * ids, so whoever says no realm finds those of all.
 */
const byMessage: Readonly<Record<string, string>> = {
  messages: 'messages',
  message_flags: 'messageFlags',
  message_edits: 'messageEdits',
  message_moves: 'messageMoves',
  reactions: 'reactions',
  submessages: 'submessages',
  message_attachments: 'messageAttachments',
  archived_messages: 'archivedMessages',
  pushed_messages: 'pushedMessages',
};
const inSql = Object.keys(byMessage).join('|');
const inCode = Object.values(byMessage).join('|');

/** What looks for rows of all realms, and why. */
const sweeps: Readonly<Record<string, string>> = {
  'shared/model/src/messages/awaiting-previews.ts: messages.previewsDueAt':
    'it answers with the realm of each message',
  'shared/model/src/messages/state.ts: messages': 'it is about conversations, each of which is of one realm',
  'shared/model/src/messages/unread.ts: messages': 'it is about conversations, each of which is of one realm',
  'shared/actions/src/messages/previews/give-up.ts: messages.previewsDueAt': 'it is about time alone',
  'shared/actions/src/notifications/postpone.ts: pushed_messages': 'it is about time alone',
  'shared/actions/src/messages/trim-archive.ts: archived_messages': 'it is about time alone',
};

/** Fragments of a statement that say the realm. */
const fragments = /\$\{(?:await )?(?:model\.\w+\.)?(?:readableMessageCondition|movesOf|isOfPage)\(/;

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
  const mentions = [...bare.matchAll(mention)];
  return mentions.flatMap(({ index, 1: verb = '', 2: table = '', 3: word = '' }, place) => {
    const behind = bare.slice(index, mentions[place + 1]?.index);
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

/** Statements of SQL in a file: its templates, or a file of SQL function by function. */
function statementsOf({ path, text }: SourceFile): string[] {
  if (path.endsWith('.sql')) return text.split(';');
  const found: string[] = [];
  new Visitor({
    TemplateLiteral({ start, end }) {
      found.push(text.slice(start, end));
    },
  }).visit(parseSync(path, text).program);
  return found;
}

/** Functions in which Drizzle is asked for rows of such tables, and their realm is named nowhere. */
function unboundQueries({ path, text }: SourceFile): string[] {
  const asked = new RegExp(
    String.raw`\.(from|update|delete|insert|innerJoin|leftJoin)\(\s*(?:tables\.)?(${inCode})\b`,
    'g',
  );
  const functions: { start: number; end: number }[] = [];
  const keep = ({ start, end }: Node) => functions.push({ start, end });
  new Visitor({ FunctionDeclaration: keep, ArrowFunctionExpression: keep, FunctionExpression: keep }).visit(
    parseSync(path, text).program,
  );
  return [...text.matchAll(asked)].flatMap((match) => {
    const around = functions
      .filter(({ start, end }) => start <= match.index && match.index < end)
      .sort((a, b) => b.end - b.start - (a.end - a.start))[0];
    const body = around ? text.slice(around.start, around.end) : text;
    const [, verb = '', table = ''] = match;
    const says = verb === 'insert' ? /\brealmId\b/ : new RegExp(String.raw`\b${table}\.realmId\b`);
    return says.test(body) ? [] : [table];
  });
}

const isSweep = (path: string, statement: string) =>
  Object.keys(sweeps).some((key) => {
    const [sweeping, part = ''] = key.split(': ');
    return sweeping === path && statement.includes(part);
  });

/** What a file looks for by messages without saying the realm, as `path: table`. */
const offencesOf = (file: SourceFile): string[] => [
  ...statementsOf(file)
    .filter((statement) => !isSweep(file.path, statement))
    .flatMap(unboundIn)
    .map((table) => `${file.path}: ${table}`),
  ...(file.path.endsWith('.sql') || isSweep(file.path, file.text) ? [] : unboundQueries(file)).map(
    (table) => `${file.path}: ${table}`,
  ),
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
  [
    'const find = (tx, id) => tx.delete(tables.reactions).where(and(eq(reactions.realmId, 1), eq(reactions.messageId, id)));',
    [],
  ],
])('%s', (text, tables) => {
  const file = sourceFile('shared/model/src/x.ts', text);
  expect(offencesOf(file)).toEqual(tables.map((table) => `${file.path}: ${table}`));
});

test('whatever is found by a message says the realm', () => {
  const files = [...filesIn('services'), ...filesIn('shared')].filter(
    (file) => !isTest(file) && !file.path.startsWith('shared/db/migrations/'),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap(offencesOf)).toEqual([]);
});
