import { expect, test } from 'vitest';

import { type SourceFile, filesIn, isTest, sourceFile } from './source-files.ts';

/** Rooms whose comments follow the law already. */
const rooms = (path: string) => !/^(shared\/client|services\/web|shared\/markdown\/src\/cases)\//.test(path);

const documented =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export (?:(?:async )?function\*? (\w+)|const (\w+) = (?:async )?(?:<[^=;]*>)?\((?=[^=;]*\)[^=;]*=>))/g;

/** Nouns in the plural, which look like verbs in the third person. */
const nouns =
  /^(Accounts|Bots|Bytes|Channels|Columns|Entries|Events|Fields|Files|Flags|Groups|Ids|Its|Jobs|Keys|Links|Members|Messages|Names|Nodes|Notices|Options|Others|Parameters|Paths|Places|Presences|Queues|Ranges|Reactions|Recipients|Rows|Sessions|Settings|Subscribers|Texts|This|Times|Topics|Uploads|Users|Values|Whose|Words)$/;

/** Documented functions whose comment does not begin with a verb, as `path: name: first words`. */
const withoutVerb = (files: SourceFile[]) =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(documented)].flatMap(([, comment = '', named, constant]) => {
      const words = comment.replaceAll(/^\s*\* ?/gm, ' ').trim();
      const [first = ''] = words.match(/^[\w-]+/) ?? [];
      if (words.startsWith('@') || (/^[A-Z][a-z-]*s$/.test(first) && !nouns.test(first))) return [];
      return [`${path}: ${named ?? constant}: ${words.slice(0, 40)}`];
    }),
  );

test('the comment of an exported function begins with what the function does', () => {
  const files = ['shared', 'services'].flatMap(filesIn);
  expect(withoutVerb(files.filter((file) => rooms(file.path) && !isTest(file)))).toEqual([]);
});

test('a comment that names only what a function returns is found', () => {
  const write = (comment: string, code = 'export function f() {}') =>
    withoutVerb([sourceFile('x.ts', `/** ${comment} */\n${code}`)]).length;
  expect(write('Returns the users.')).toBe(0);
  expect(write('@throws BAD_REQUEST')).toBe(0);
  expect(write('The users.')).toBe(1);
  expect(write('Users of a realm.')).toBe(1);
  expect(write('Whether it is one.', 'export const f = (one: string) => one;')).toBe(1);
});
