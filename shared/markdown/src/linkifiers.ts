import { parseTemplate } from 'url-template';

import { compilePattern } from './check-linkifier.ts';
import { type Budget, type Edges, type PatternMatch, createFinder } from './find-all.ts';

/** A piece of text that a linkifier turns into a link. */
export interface LinkifierMatch {
  start: number;
  end: number;
  text: string;
  url: string;
}

/** The compiled linkifiers of an organization, in its order. */
export interface Linkifiers {
  /** About what they take of memory. */
  readonly bytes: number;
  /** Matches in a text, in order of position and without overlaps. When the steps run out, nothing more is found. */
  match(text: string, budget?: Budget): LinkifierMatch[];
}

/** The linkifiers of an organization that has none. */
export const noLinkifiers: Linkifiers = { bytes: 0, match: () => [] };

/** A match must not start or end inside a word. */
const edges: Edges = {
  mayStart: (before) => before === undefined || /[\s'"(,:<]/u.test(before),
  mayEnd: (after) => after === undefined || !/[\p{L}\p{N}]/u.test(after),
};

/**
 * The most steps that all linkifiers together may take for one text, which is some 0.3 s. Ordinary linkifiers take a
 * few steps per character. If patterns that are made to be slow have used up the steps, the linkifiers after them
 * match nothing.
 */
export const linkifierStepsMax = 8_000_000;

/** What a compiled linkifier takes of memory, and each character of its pattern. */
const [compiledBytes, characterBytes] = [4096, 100];

/** Compiles linkifiers in the organization's order. If matches overlap, the one of the earlier linkifier counts. */
export function compileLinkifiers(list: readonly { pattern: string; urlTemplate: string }[]): Linkifiers {
  const compiled = list.flatMap(({ pattern, urlTemplate }) => compile(pattern, urlTemplate) ?? []);
  if (compiled.length === 0) return noLinkifiers;
  return {
    bytes: list.reduce((sum, { pattern }) => sum + compiledBytes + pattern.length * characterBytes, 0),
    match(text, budget = { steps: linkifierStepsMax }) {
      const occupied = new OccupiedRanges(text.length);
      const matches: LinkifierMatch[] = [];
      for (const linkifier of compiled) {
        for (const { start, end, groups } of linkifier.find(text, budget)) {
          if (!occupied.claim(start, end)) continue;
          matches.push({ start, end, text: text.slice(start, end), url: linkifier.urlFor(groups) });
        }
      }
      return matches.sort((a, b) => a.start - b.start);
    },
  };
}

interface Compiled {
  find(text: string, budget: Budget): PatternMatch[];
  urlFor(groups: Record<string, string>): string;
}

/** Returns null for a linkifier that cannot be used; it matches nothing. */
function compile(pattern: string, urlTemplate: string): Compiled | null {
  const compiled = compilePattern(pattern);
  if (typeof compiled === 'string') return null;
  const template = parseTemplate(urlTemplate);
  const find = createFinder(compiled, edges);
  return {
    // Most linkifiers match nothing in most texts, and the engine finds that out faster than the search.
    find: (text, budget) => (compiled.test(text) ? find(text, budget) : []),
    urlFor: (groups) =>
      template.expand(
        Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, wellFormed(value)])),
      ),
  };
}

/** A lone surrogate cannot stand in a URL. */
const wellFormed = (text: string) => text.replaceAll(/\p{Cs}/gu, '\uFFFD');

/** The ranges of a text that are links already. */
class OccupiedRanges {
  readonly #places: Uint8Array;

  constructor(length: number) {
    this.#places = new Uint8Array(length);
  }

  claim(start: number, end: number): boolean {
    const places = this.#places.subarray(start, end);
    if (places.includes(1)) return false;
    places.fill(1);
    return true;
  }
}
