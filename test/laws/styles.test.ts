import { describe, expect, test } from 'vitest';

import { filesIn, isTest } from './source-files.ts';
import {
  type Declaration,
  colorsOf,
  contrastOf,
  declarationsOf,
  isOfTokens,
  looks,
  styleSheets,
} from './style-sheets.ts';

const tokenSheets = styleSheets.filter(isOfTokens);
const sheets = styleSheets.filter((sheet) => !isOfTokens(sheet));
const scripts = filesIn('services/web/src').filter((file) => !isTest(file));

const colorNames = 'black|white|gr[ae]y|red|green|blue|yellow|orange|purple|pink|navy|silver';
const isColor = new RegExp(
  `#[\\da-f]{3,8}\\b|\\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark)a?\\(|\\b(?:${colorNames})\\b`,
  'i',
);
const isTime = /(?:^|[\s,(])[\d.]+m?s\b/;
const sides = /(?:^|-)(?:left|right)(?:-|$)/;
const named = /^(?:inherit|normal|none|auto|0|unset)$/;

/** What has to be the name of a token, or one of the words that say nothing of a size. */
const byName = /^(?:font-size|font-weight|font-family|font|border(?:-\w+)*-radius|z-index|box-shadow)$/;

/** Returns whether each word of a value is a name. */
const isNamed = (value: string): boolean =>
  value
    .replaceAll(/var\(--[\w-]+\)/g, 'inherit')
    .split(' ')
    .every((word) => named.test(word));

/** Returns whether a value says something else of the left than of the right. */
function hasSides({ property, value }: Declaration): boolean {
  if (sides.test(property)) return true;
  if (/^(?:text-align|float|clear)$/.test(property)) return /^(?:left|right)$/.test(value);
  if (
    !/^(?:margin|padding|inset|border-(?:width|style|color|radius)|scroll-(?:margin|padding))$/.test(property)
  )
    return false;
  const words = value.match(/(?:[^\s(]|\([^()]*(?:\([^()]*\)[^()]*)*\))+/g) ?? [];
  return words.length === 4 && words[1] !== words[3];
}

/** Returns what a declaration says that only tokens may say, or that would be wrong where one writes from right to left. */
function faultOf(declaration: Declaration): string | null {
  const { property, value } = declaration;
  const plain = value.replaceAll(/var\(--[\w-]+/g, 'var(').replaceAll(/'[^']*'/g, '');
  if (isColor.test(plain)) return 'a color without a name';
  if (isTime.test(plain)) return 'a duration without a name';
  if (byName.test(property) && !isNamed(value)) return 'a size without a name';
  if (hasSides(declaration)) return 'left or right';
  return null;
}

const faultsOf = (text: string): string[] =>
  declarationsOf({ text }).flatMap((one) => {
    const fault = faultOf(one);
    return fault === null ? [] : [`${one.property}: ${one.value} (${fault})`];
  });

describe('style sheets', () => {
  test('take colors, sizes of type, corners, durations and depths from tokens, and know no left or right', () => {
    expect(sheets.length).toBeGreaterThan(15);
    const found = sheets.flatMap(({ path, text }) => faultsOf(text).map((fault) => `${path}: ${fault}`));
    expect(found).toEqual([]);
  });

  test.each([
    ['color: #fff', 'a color without a name'],
    ['border: 1px solid white', 'a color without a name'],
    ['background: light-dark(var(--a), var(--b))', 'a color without a name'],
    ['transition: opacity 90ms', 'a duration without a name'],
    ['font-size: 14px', 'a size without a name'],
    ['border-radius: var(--radius-chip) 3px', 'a size without a name'],
    ['z-index: 12', 'a size without a name'],
    ['margin-left: 0', 'left or right'],
    ['left: 0', 'left or right'],
    ['text-align: right', 'left or right'],
    ['padding: 0 1px 0 var(--space-1)', 'left or right'],
    ['inset: auto 0 0', null],
    ['color: var(--white)', null],
    ['border-radius: var(--radius-chip) 0', null],
    ['transition: opacity var(--motion-popover)', null],
  ])('are judged: “%s”', (line, fault) => {
    expect(faultsOf(`a:hover { ${line}; }`)).toEqual(fault === null ? [] : [`${line} (${fault})`]);
  });
});

const physical =
  /\.style\.(?:left|right|\w+(?:Left|Right))\b|style=\{\{[^}]*\b(?:left|right|\w+(?:Left|Right)):/;

test('no component says left or right of what it lays out', () => {
  expect(scripts.filter(({ text }) => physical.test(text)).map(({ path }) => path)).toEqual([]);
  expect(physical.test('box.style.left = `1px`;')).toBe(true);
  expect(physical.test("<i style={{ color: 'a', marginRight: 1 }} />")).toBe(true);
});

describe('tokens', () => {
  const usesOf = (text: string) => [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name);
  const declared = new Set(styleSheets.flatMap(declarationsOf).map(({ property }) => property));
  const used = new Set([...styleSheets, ...scripts].flatMap(({ text }) => usesOf(text)));

  test('have a value if they are used', () => {
    const ofElements = new Set(scripts.flatMap(({ text }) => text.match(/--[a-z][\w-]+/g) ?? []));
    expect([...used].filter((name) => !declared.has(name) && !ofElements.has(name))).toEqual([]);
  });

  test('are used', () => {
    const ofTokens = tokenSheets.flatMap(declarationsOf).map(({ property }) => property);
    const families = scripts.flatMap(({ text }) =>
      [...text.matchAll(/var\((--[\w-]+-)\$\{/g)].map(([, name = '']) => name),
    );
    const isUsed = (name: string) => used.has(name) || families.some((family) => name.startsWith(family));
    expect(ofTokens.filter((name) => name.startsWith('--') && !isUsed(name))).toEqual([]);
  });
});

const text = ['--ink', '--ink-dim', '--accent', '--link', '--danger', '--success'];
const grounds = ['--paper', '--surface', '--raised', '--sunken'];
const messages = ['--surface', '--row-hover', '--sunken', '--mention', '--mention-group', '--tint'];
const codes = ['comment', 'keyword', 'string', 'number', 'name', 'attribute'].map((name) => `--code-${name}`);
const hues = Array.from({ length: 12 }, (_, at) => [`--on-hue-${at + 1}`, `--hue-${at + 1}`]);

const across = (ones: readonly string[], others: readonly string[]): string[][] =>
  ones.flatMap((one) => others.map((other) => [one, other]));

/** What is read or seen on what, by the contrast that it needs. */
const needs: readonly (readonly [ratio: number, pairs: readonly string[][]])[] = [
  [7, across(['--ink', '--link'], messages)],
  [
    7,
    across(
      ['--ink'],
      [...grounds, '--hover', '--selected', '--mention-strong', '--mention-group-strong', '--search-hit'],
    ),
  ],
  [4.5, across(text, grounds)],
  [
    4.5,
    across(['--ink-dim'], ['--hover', '--row-hover', '--selected', '--tint', '--mention', '--mention-group']),
  ],
  [4.5, across(['--accent'], ['--tint', '--selected', '--hover'])],
  [4.5, across(codes, ['--sunken'])],
  [4.5, hues],
  [
    4.5,
    [
      ['--on-accent', '--accent-fill'],
      ['--on-accent', '--accent-fill-hover'],
    ],
  ],
  [
    4.5,
    [
      ['--on-danger', '--danger-fill'],
      ['--danger', '--danger-tint'],
      ['--on-count', '--count'],
    ],
  ],
  [3, across(['--focus', '--control'], [...grounds, '--mention'])],
  [3, across(['--switch', '--accent-fill'], ['--surface'])],
];

describe('contrast', () => {
  test.each(looks)('is enough in $name', (look) => {
    const colors = colorsOf(tokenSheets, look);
    expect(colors.size).toBeGreaterThan(60);
    const low = needs.flatMap(([ratio, pairs]) =>
      pairs.flatMap(([one = '', other = '']) => {
        const found = contrastOf(colors.get(one) ?? '', colors.get(other) ?? '');
        return found >= ratio ? [] : [`${one} on ${other}: ${found.toFixed(2)} of ${ratio}`];
      }),
    );
    expect(low).toEqual([]);
  });

  test.each(looks.filter(({ hasMoreContrast }) => hasMoreContrast))(
    'is 7 for all that is read in $name',
    (look) => {
      const colors = colorsOf(tokenSheets, look);
      const low = across(text, grounds).filter(
        ([one = '', other = '']) => contrastOf(colors.get(one) ?? '', colors.get(other) ?? '') < 7,
      );
      expect(low).toEqual([]);
    },
  );

  test('is computed as WCAG does', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
    const sheet = { text: ':root { --a: light-dark(#000000, #ffffff); }' };
    expect(colorsOf([sheet], { isDark: true, hasMoreContrast: false }).get('--a')).toBe('#ffffff');
  });
});
