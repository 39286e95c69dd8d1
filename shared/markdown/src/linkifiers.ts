import { parseTemplate } from 'url-template';

import { compilePattern } from './check-linkifier.ts';
import { type Budget, type Edges, type PatternMatch, createFinder } from './find-all.ts';

/** A atom of text that an organization turns into a link. */
export interface LinkifierMatch {
  start: number;
  end: number;
  text: string;
  url: string;
}

/** The linkifiers of an organization, compiled, in its order. */
export interface Linkifiers {
  /** What they find in a text, in order of place, without overlaps. */
  match(text: string): LinkifierMatch[];
}

/** None at all. */
export const noLinkifiers: Linkifiers = { match: () => [] };

/** A link stands by itself: it does not begin inside of a word, nor end inside of one. */
const edges: Edges = {
  mayStart: (before) => before === undefined || /[\s'"(,:<]/u.test(before),
  mayEnd: (after) => after === undefined || !/[\p{L}\p{N}]/u.test(after),
};

/**
 * What all linkifiers together may take for one text: some 0.3 seconds. Ordinary ones take a few steps per character;
 * where patterns made to be slow have used it up, those after them link nothing.
 */
const stepsMax = 8_000_000;

/** In the organization's order: of matches that overlap, the one of the earlier linkifier counts. */
export function compileLinkifiers(list: readonly { pattern: string; urlTemplate: string }[]): Linkifiers {
  const compiled = list.flatMap(({ pattern, urlTemplate }) => compile(pattern, urlTemplate) ?? []);
  if (compiled.length === 0) return noLinkifiers;
  return {
    match(text) {
      const taken = new OccupiedRanges(text.length);
      const matches: LinkifierMatch[] = [];
      const budget = { steps: stepsMax };
      for (const linkifier of compiled) {
        for (const { start, end, groups } of linkifier.find(text, budget)) {
          if (!taken.take(start, end)) continue;
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

/** Null for one that cannot be used: it links nothing. */
function compile(pattern: string, urlTemplate: string): Compiled | null {
  const compiled = compilePattern(pattern);
  if (typeof compiled === 'string') return null;
  const template = parseTemplate(urlTemplate);
  const find = createFinder(compiled, edges);
  return {
    // Most texts hold nothing for most linkifiers, which the engine tells faster than they are searched.
    find: (text, budget) => (compiled.test(text) ? find(text, budget) : []),
    urlFor: (groups) =>
      template.expand(
        Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, wellFormed(value)])),
      ),
  };
}

/** Half of a character has no place in an address. */
const wellFormed = (text: string) => text.replaceAll(/\p{Cs}/gu, '\uFFFD');

/** Which places of a text are links already. */
class OccupiedRanges {
  readonly #places: Uint8Array;

  constructor(length: number) {
    this.#places = new Uint8Array(length);
  }

  take(start: number, end: number): boolean {
    const places = this.#places.subarray(start, end);
    if (places.includes(1)) return false;
    places.fill(1);
    return true;
  }
}
