import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { type MessageFormatElement, TYPE, parse } from '@formatjs/icu-messageformat-parser';
import { describe, expect, test } from 'vitest';

import { type WrittenText, catalogueTexts, textsOf } from './catalogue.ts';
import { filesIn, isTest, root, sourceFile } from './source-files.ts';

const folder = join(root, 'services/web/src/strings/translations');
const written = catalogueTexts();
const tags = (await readdir(folder)).map((name) => name.replace(/\.json$/, '')).filter((tag) => tag !== 'en');

async function translationsOf(tag: string): Promise<Record<string, string>> {
  return JSON.parse(await readFile(join(folder, `${tag}.json`), 'utf8')) as Record<string, string>;
}

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

const faultsIn = (texts: Record<string, string>, tag: string) =>
  [...written].flatMap(([key, text]) => faultsOf(text, texts[key], tag).map((fault) => `${key} ${fault}`));

describe('the catalogue of the web client', () => {
  const english = Object.fromEntries([...written].map(([key, { text }]) => [key, text]));

  test('is what translators are given; npx vitest run test/laws/translations -u writes it', async () => {
    const sorted = Object.keys(english).sort();
    const file = JSON.stringify(Object.fromEntries(sorted.map((key) => [key, english[key]])), null, 2);
    await expect(`${file}\n`).toMatchFileSnapshot(join(folder, 'en.json'));
  });

  test('has no message that cannot be read, and each names the arguments that it is given', () => {
    expect(written.size).toBeGreaterThan(900);
    expect(faultsIn(english, 'en')).toEqual([]);
  });

  test('has each text under the name of what exports it', () => {
    const misnamed = filesIn('services/web/src/strings').flatMap(({ path, text }) =>
      [...text.matchAll(/export const (\w+)\b[^=;]*= catalogue\(\s*'(\w+)'/g)].flatMap(([, exported, name]) =>
        exported === `${name}Text` ? [] : [`${path}: ${exported} is ${name}`],
      ),
    );
    expect(misnamed).toEqual([]);
  });

  test('has no text that nobody shows', () => {
    const client = filesIn('services/web').filter((file) => !isTest(file));
    const code = client.filter(({ path }) => !path.includes('/strings/')).map(({ text }) => text);
    const strings = client.filter(({ path }) => path.includes('/strings/')).map(({ text }) => text);
    const words = new Set(code.join('\n').match(/\w+/g));
    // A group of texts is read as a whole, by keys that the server or the code gives.
    const groups = new Set(
      [...code.join('\n').matchAll(/(\w+)Text(?:\.(\w+))?(?:\[|\)|\]|;|,| as | in )/g)].map(
        ([, name, part]) => (part === undefined ? `${name}` : `${name}.${part}`),
      ),
    );
    const inStrings = strings.join('\n');
    const isShown = (key: string) => {
      const parts = key.split('.');
      const last = parts.at(-1) ?? '';
      const group = parts.slice(0, -1).join('.');
      return (
        words.has(last) ||
        groups.has(group) ||
        new RegExp(`\\b${parts[0]}(?:Text)?\\.${last}\\b`).test(inStrings)
      );
    };
    expect([...written.keys()].filter((key) => !isShown(key))).toEqual([]);
  });
});

test.each(tags)(
  'the translation %s has every text, with its arguments and all forms of a plural',
  async (tag) => {
    const texts = await translationsOf(tag);
    expect(faultsIn(texts, tag)).toEqual([]);
    expect(Object.keys(texts).filter((key) => !written.has(key))).toEqual([]);
  },
);

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
