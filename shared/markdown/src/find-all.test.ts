import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';

import { type Edges, createFinder } from './find-all.ts';

const edges: Edges = {
  mayStart: (before) => before === undefined || before === ' ',
  mayEnd: (after) => after === undefined || !/[a-z]/.test(after),
};

const find = (pattern: string, text: string) =>
  createFinder(RE2JS.compile(pattern), edges)(text, { steps: 1_000_000 });

/** The matches that the engine itself finds when it searches again from each position. */
function findWithEngine(pattern: string, text: string) {
  const found = [];
  for (let at = 0; at < text.length; at += 1) {
    if (!edges.mayStart(text[at - 1])) continue;
    const anchored = RE2JS.compile(`\\A(?s:.{${at}})(?P<whole>${pattern})(?:\\z|[^a-z])`);
    const matcher = anchored.matcher(text);
    if (!matcher.find()) continue;
    const { whole = '', ...groups } = matcher.getNamedGroups();
    if (!whole) continue;
    const held = Object.entries(groups).filter(([, value]) => value !== null);
    found.push({ start: at, end: at + whole.length, groups: Object.fromEntries(held) });
    at += whole.length - 1;
  }
  return found;
}

const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  ' ',
  '\\b',
  '\\B',
  '^',
  '$',
  '(?m:^)',
  '(?m:$)',
  '\\n',
  '(?i:A)',
);
const patterns = fc
  .letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      atom,
      fc.tuple(tie('node'), tie('node')).map(([a, b]) => `${a}${b}`),
      fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(?:${a}|${b})`),
      fc
        .tuple(tie('node'), fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{1,2}', '{2}'))
        .map(([a, times]) => `(?:${a})${times}`),
      tie('node').map((a) => `(NAME${a})`),
    ),
  }))
  .node.map((pattern) => {
    let count = 0;
    return pattern.replaceAll('(NAME', () => `(?P<g${(count += 1)}>`);
  });
const texts = fc
  .array(fc.constantFrom('a', 'b', 'A', ' ', '\n', '.'), { maxLength: 12 })
  .map((all) => all.join(''));

describe('finding all matches', () => {
  test('finds what the engine finds, for any pattern and text', () => {
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        expect(find(pattern, text)).toEqual(findWithEngine(pattern, text));
      }),
      { numRuns: 3000 },
    );
  });

  test('counts characters outside of the basic plane as what they take in the text', () => {
    expect(find('(?P<g>🙂+)', '🙂 🙂🙂')).toEqual([
      { start: 0, end: 2, groups: { g: '🙂' } },
      { start: 3, end: 7, groups: { g: '🙂🙂' } },
    ]);
  });

  test.each([
    ['nested repetition', '(a+)+$', (size: number) => `${'a'.repeat(size)}!`],
    ['looking far ahead of many matches', 'x(.*y)?', (size: number) => 'x '.repeat(size / 2)],
    ['many matches', 'x', (size: number) => 'x '.repeat(size / 2)],
    ['matches of nothing', 'x*', (size: number) => ' y'.repeat(size / 2)],
    ['ends that are never good', '[a-z]+', (size: number) => 'a1'.repeat(size / 2)],
  ])('reads each character a bounded number of times: %s', (_, pattern, text) => {
    const reads = (size: number) => {
      const compiled = RE2JS.compile(pattern);
      let count = 0;
      for (const instruction of compiled.re2().prog.inst) {
        const matchRune = instruction.matchRune.bind(instruction);
        instruction.matchRune = (rune: number) => {
          count += 1;
          return matchRune(rune);
        };
      }
      createFinder(compiled, {
        mayStart: (before) => {
          count += 1;
          return edges.mayStart(before);
        },
        mayEnd: edges.mayEnd,
      })(text(size), { steps: Infinity });
      return count;
    };
    expect(reads(20_000)).toBeLessThan(2.1 * reads(10_000));
    expect(reads(100_000)).toBeLessThan(1_000_000);
  });
});
