import { compileLinkifiers } from '@parley/markdown';

import type { Bench } from './finding.ts';
import { median, two } from './numbers.ts';

const repeats = 5;
/** In proportion is 10. */
const growthMax = 20;
const sizes = { small: 10_000, large: 100_000 };

/** Patterns and texts that make engines look at the same text again and again. */
const adversarial: Record<string, { pattern: string; readonly text: (size: number) => string }> = {
  'nested repetition': { pattern: '(a+)+$', text: (size) => `${'a'.repeat(size)}!` },
  'looks far ahead, many matches': { pattern: 'x(.*y)?', text: (size) => 'x '.repeat(size / 2) },
  'many matches': { pattern: '#(?P<id>[0-9]+)', text: (size) => '#12 '.repeat(size / 4) },
  'matches of nothing': { pattern: '(?P<n>z*)', text: (size) => ' y'.repeat(size / 2) },
  'ends that are never good': { pattern: '[a-z]+', text: (size) => 'a1'.repeat(size / 2) },
  'one letter of many thousands': { pattern: '(?P<n>(\\w+ ?)+)', text: (size) => 'ab '.repeat(size / 3) },
};

const ordinaryText =
  'The deploy of Tuesday is out: #1284 and #1290 are in it, case-77 is not. Could somebody look at the graphs?';
const ordinaryList = ['#', 'case-', ...Array.from({ length: 18 }, (_, index) => `TEAM${index}-`)].map(
  (prefix) => ({ pattern: `${prefix}(?P<n>[0-9]+)`, urlTemplate: 'https://ex.org/{n}' }),
);

function msOf(act: () => void): number {
  const startedAt = performance.now();
  act();
  return performance.now() - startedAt;
}

const medianMs = (act: () => void) => median(Array.from({ length: repeats }, () => msOf(act)));

/** Microseconds that twenty linkifiers take for an ordinary message. */
function costOfOrdinaryLinkifiers(): number {
  const linkifiers = compileLinkifiers(ordinaryList);
  const times = 10_000;
  const ms = medianMs(() => {
    for (let time = 0; time < times; time += 1) linkifiers.match(ordinaryText);
  });
  return two((ms * 1000) / times);
}

/** How the time grows where the text is ten times as long: 10 is in proportion. */
function growthOfLinkifiers() {
  return Object.entries(adversarial).map(([name, { pattern, text }]) => {
    const linkifiers = compileLinkifiers([{ pattern, urlTemplate: 'https://ex.org' }]);
    const msFor = (size: number) => {
      const given = text(size);
      return medianMs(() => linkifiers.match(given));
    };
    const [small, large] = [msFor(sizes.small), msFor(sizes.large)];
    return { name, small_ms: two(small), large_ms: two(large), growth: two(large / small) };
  });
}

/** What linkifiers cost. */
export const linkifiers: Bench = async (_, say) => {
  say('linkifiers …');
  const ordinaryUs = costOfOrdinaryLinkifiers();
  const growths = growthOfLinkifiers();
  return {
    figures: { ordinary_us: ordinaryUs, adversarial: growths },
    claim: {
      holds: growths.every(({ growth }) => growth < growthMax),
      result: `ten times the text takes ${Math.max(...growths.map(({ growth }) => growth))} × the time at most`,
    },
    rows: [
      ['twenty linkifiers, an ordinary message, µs', ordinaryUs],
      ['linkifiers made to be slow', '10⁴ characters, ms  10⁵, ms  growth'],
      ...growths.map(({ name, small_ms, large_ms, growth }): [string, string] => [
        `  ${name}`,
        `${small_ms}  ${large_ms}  ${growth}`,
      ]),
    ],
    picture: [],
  };
};
