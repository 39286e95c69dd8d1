import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { type MessageFormatElement, TYPE, parse } from '@formatjs/icu-messageformat-parser';
import { languageNames } from '@parley/strings';
import { describe, expect, test } from 'vitest';

import { type WrittenText, catalogueTexts, textsOf } from './catalogue.ts';
import { filesIn, isTest, root, sourceFile } from './source-files.ts';

/** A catalogue, and the code whose readers it speaks to. */
interface Catalogue {
  folder: string;
  users: readonly string[];
  textsMin: number;
}

const catalogues: Record<string, Catalogue> = {
  'the web client': { folder: 'services/web/src/strings', users: ['services/web'], textsMin: 900 },
  'the server': {
    folder: 'shared/strings/src',
    users: [
      'services/api',
      'services/worker',
      'shared/actions',
      'shared/http',
      'shared/model',
      'shared/protocol',
    ],
    textsMin: 40,
  },
};

const translated = Object.keys(languageNames).filter((tag) => tag !== 'en');

/** What the text of a message asks for: its arguments, and the plural forms that it has of each. */
function demandsOf(text: string): { names: string[]; forms: string[][] } {
  const names = new Set<string>();
  const forms: string[][] = [];
  const walk = (elements: readonly MessageFormatElement[]) => {
    for (const element of elements) {
      if (element.type !== TYPE.literal && element.type !== TYPE.pound) names.add(element.value);
      if (element.type !== TYPE.plural && element.type !== TYPE.select) continue;
      forms.push(Object.keys(element.options));
      for (const { value } of Object.values(element.options)) walk(value);
    }
  };
  walk(parse(text, { ignoreTag: true }));
  return { names: [...names].sort(), forms };
}

/** What is wrong with a translation of a text; empty if nothing is. */
function faultsOf({ names }: WrittenText, translation: string | undefined, tag: string): string[] {
  if (translation === undefined) return ['is missing'];
  if (translation.trim() === '') return ['is empty'];
  if (names === null) return [];
  try {
    const demands = demandsOf(translation);
    const [expected, found] = [[...names].sort().join(), demands.names.join()];
    const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
    const lacking = demands.forms.flatMap((had) => categories.filter((form) => !had.includes(form)));
    return [
      ...(found === expected ? [] : [`has the arguments ${found} for ${expected}`]),
      ...lacking.map((form) => `lacks the form ${form}`),
    ];
  } catch {
    return ['cannot be read'];
  }
}

const faultsIn = (written: Map<string, WrittenText>, texts: Record<string, string>, tag: string) =>
  [...written].flatMap(([key, text]) => faultsOf(text, texts[key], tag).map((fault) => `${key} ${fault}`));

describe.each(Object.entries(catalogues))('the catalogue of %s', (_, { folder, users, textsMin }) => {
  const written = catalogueTexts(folder);
  const english = Object.fromEntries([...written].map(([key, { text }]) => [key, text]));
  const files = join(root, folder, 'translations');

  test('is what translators are given; npx vitest run test/laws/translations -u writes it', async () => {
    const sorted = Object.keys(english).sort();
    const file = JSON.stringify(Object.fromEntries(sorted.map((key) => [key, english[key]])), null, 2);
    await expect(`${file}\n`).toMatchFileSnapshot(join(files, 'en.json'));
  });

  test('has no message that cannot be read, and each names the arguments that it is given', () => {
    expect(written.size).toBeGreaterThan(textsMin);
    expect(faultsIn(written, english, 'en')).toEqual([]);
  });

  test('has each text under the name of what exports it', () => {
    const misnamed = filesIn(folder).flatMap(({ path, text }) =>
      [...text.matchAll(/export const (\w+)\b[^=;]*= catalogue\(\s*'(\w+)'/g)].flatMap(([, exported, name]) =>
        exported === `${name}Text` ? [] : [`${path}: ${exported} is ${name}`],
      ),
    );
    expect(misnamed).toEqual([]);
  });

  test('has no text that nobody shows', () => {
    const all = [folder, ...users].flatMap(filesIn).filter((file) => !isTest(file));
    const code = all.filter(({ path }) => !path.startsWith(folder)).map(({ text }) => text);
    const strings = all.filter(({ path }) => path.startsWith(folder)).map(({ text }) => text);
    // A refusal stands in code, and is found by its words.
    const isRefused = (key: string) =>
      key.startsWith('error.') && code.some((text) => text.includes(written.get(key)?.text ?? key));
    const keys = [...written.keys()].filter((key) => !isRefused(key));
    expect(unshown(keys, code.join('\n'), strings.join('\n'))).toEqual([]);
  });

  test('is translated into every language, and into no other', async () => {
    const named = (await readdir(files)).map((name) => name.replace(/\.json$/, ''));
    expect(named.toSorted()).toEqual(Object.keys(languageNames).toSorted());
  });

  test.each(translated)('has every text in %s, with its arguments and all forms of a plural', async (tag) => {
    const texts = JSON.parse(await readFile(join(files, `${tag}.json`), 'utf8')) as Record<string, string>;
    expect(faultsIn(written, texts, tag)).toEqual([]);
    expect(Object.keys(texts).filter((key) => !written.has(key))).toEqual([]);
  });
});

/** The keys of texts that no code reads. */
function unshown(keys: readonly string[], code: string, strings: string): string[] {
  const words = new Set(code.match(/\w+/g));
  // A group of texts is read as a whole, by keys that the server or the code gives.
  const groups = new Set(
    [...code.matchAll(/(\w+)Text(?:\.(\w+))?(?:\[|\)|\]|;|,| as | in )/g)].map(([, name, part]) =>
      part === undefined ? `${name}` : `${name}.${part}`,
    ),
  );
  return keys.filter((key) => {
    const parts = key.split('.');
    const last = parts.at(-1) ?? '';
    const group = parts.slice(0, -1).join('.');
    const isShown =
      words.has(last) ||
      groups.has(group) ||
      new RegExp(`\\b${parts[0]}(?:Text)?\\.${last}\\b`).test(strings);
    return !isShown;
  });
}

const arabic = ['zero', 'one', 'two', 'few', 'many'];
test.each([
  ['{count, plural, one {# Kanal} other {# Kanäle}}', 'de', []],
  ['{count, plural, one {# Kanal}}', 'de', ['cannot be read']],
  ['{count, plural, other {# قناة}}', 'ar', arabic.map((form) => `lacks the form ${form}`)],
  ['{number} Kanäle', 'de', ['has the arguments number for count']],
  [' ', 'de', ['is empty']],
  [undefined, 'de', ['is missing']],
])('in the translation %j into %s, %j is found', (translation, tag, faults) => {
  const text = { text: '{count, plural, one {# channel} other {# channels}}', names: ['count'] };
  expect(faultsOf(text, translation, tag).toSorted()).toEqual(faults.toSorted());
});

test('texts are found where they are written', () => {
  const code = "const aText = catalogue('a', { one: 'One', deep: { 2: icu('{x} of {y}', 'x', 'y') } });";
  expect([...textsOf(sourceFile('a.ts', code))]).toEqual([
    ['a.one', { text: 'One', names: null }],
    ['a.deep.2', { text: '{x} of {y}', names: ['x', 'y'] }],
  ]);
});
