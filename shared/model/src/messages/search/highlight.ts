import { foldText, piecesOf } from './fold.ts';

/** What is marked in what a search has found. */
export interface Highlight {
  /** Words, as searches compare them. */
  words: ReadonlySet<string>;
  /** Texts that are marked wherever they stand, in any case. */
  literals: readonly string[];
  /** Pairs of characters that are marked where the text has no whole run of them. */
  pairs: readonly string[];
}

type Range = [from: number, to: number];

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const start = '<span class="highlight">';
const end = '</span>';

const entity = /&(?:#\w+|\w+);/g;

/** Tags, and formulas, in which no other element may stand. */
const markup = /<math[\s>][^]*?<\/math>|<[^>]*>/g;

/** Returns HTML in which what a search has found is marked. Nothing but marks is added, and each stands within one text. */
export function highlightHtml(html: string, highlight: Highlight): string {
  const parts: string[] = [];
  let at = 0;
  for (const { 0: tag, index } of html.matchAll(markup)) {
    parts.push(mark(html.slice(at, index), highlight), tag);
    at = index + tag.length;
  }
  parts.push(mark(html.slice(at), highlight));
  return parts.join('');
}

/** Returns a text as HTML in which what a search has found is marked. */
export const highlightText = (text: string, highlight: Highlight): string => mark(escaped(text), highlight);

function mark(text: string, { words, literals, pairs }: Highlight): string {
  if (text.trim() === '') return text;
  // Places in it are places in the text: this letter alone would become two.
  const lower = text.replaceAll('İ', 'I').toLowerCase();
  const entities = [...text.matchAll(entity)].map(({ 0: one, index }): Range => [index, index + one.length]);
  const isInside = (at: number) => entities.some(([from, to]) => at > from && at < to);
  const ofLiterals = literals
    .flatMap((one) => placesOf(escaped(one).toLowerCase(), lower))
    .filter(([from, to]) => !isInside(from) && !isInside(to));
  const ranges = [
    ...(ofLiterals.length > 0 ? ofLiterals : pairs.flatMap((pair) => placesOf(pair, lower))),
    ...wordRanges(text, words),
  ];
  return ranges.length === 0 ? text : withMarks(text, joined(ranges));
}

function placesOf(wanted: string, text: string): Range[] {
  if (wanted === '') return [];
  const found: Range[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    found.push([at, at + wanted.length]);
  }
  return found;
}

const humps = /[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g;
/** A piece that is one hump, as most are. */
const isOneHump = /^[a-z0-9]+$/;

function wordRanges(text: string, words: ReadonlySet<string>): Range[] {
  if (words.size === 0) return [];
  const has = (piece: string) => words.has(foldText(piece).toLowerCase());
  // Entities keep their length, so that places stay what they are.
  const readable = text.replaceAll(entity, (one) => ' '.repeat(one.length));
  return piecesOf(readable).flatMap(({ text: piece, at }): Range[] => {
    if (has(piece)) return [[at, at + piece.length]];
    if (isOneHump.test(piece)) return [];
    return [...piece.matchAll(humps)].flatMap(({ 0: hump, index }): Range[] =>
      hump !== piece && has(hump) ? [[at + index, at + index + hump.length]] : [],
    );
  });
}

/** Returns ranges in their order, of which none touches another. */
function joined(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

function withMarks(text: string, ranges: readonly Range[]): string {
  let at = 0;
  const parts = ranges.map(([from, to]) => {
    const part = `${text.slice(at, from)}${start}${text.slice(from, to)}${end}`;
    at = to;
    return part;
  });
  return parts.join('') + text.slice(at);
}
