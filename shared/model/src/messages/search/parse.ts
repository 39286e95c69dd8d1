import { isRun, wordsOf } from './fold.ts';
import { stopWords } from './stop-words.ts';

/** A word of a search, as it stands between spaces. */
export interface SearchWord {
  /** What was written. */
  written: string;
  /** The words that it consists of, as searches compare them. */
  parts: string[];
  /** Whether it is looked for literally, beside its parts: `foo_bar`, `a.b.c`, `->`. */
  isLiteral: boolean;
  /** Whether it is the beginning of a word: `deploy*`. */
  isBeginning: boolean;
  /** Whether it is the end of a word: `*base`. */
  isEnding: boolean;
}

/** A search: words, which match in any grammatical form, and phrases, which match literally. */
export interface Search {
  words: SearchWord[];
  phrases: string[];
}

const stops = new Set(stopWords);

/** Particles that Korean writes behind a word. The longest that fits is taken off. */
const particles =
  /^(.{2,}?)(?:에서는|에서|에게|으로|까지|부터|처럼|보다|하고|이랑|은|는|이|가|을|를|의|에|로|와|과|도|만)$/u;

const withoutParticle = (word: string) =>
  /^[\uAC00-\uD7AF]+$/.test(word) ? (particles.exec(word)?.[1] ?? word) : word;

function readWord(written: string): SearchWord {
  const isBeginning = /[\p{L}\p{N}]\*$/u.test(written);
  const isEnding = /^\*[\p{L}\p{N}]/u.test(written);
  const text = written.slice(isEnding ? 1 : 0, isBeginning ? -1 : undefined);
  const parts = [...new Set(wordsOf(text).map(withoutParticle))];
  // Hyphens and apostrophes join words that are often written apart; what begins or ends a word is mostly punctuation.
  const isLiteral =
    parts.length === 0 || /[\p{L}\p{N}](?:[^\p{L}\p{N}\p{M}\s\-'’]+[\p{L}\p{N}]|[+#]+$)/u.test(text);
  return { written: text, parts, isLiteral, isBeginning, isEnding };
}

/** Reads what was written to search for. Frequent words are passed over where there are others. */
export function parseSearch(text: string): Search {
  const phrases = [...text.matchAll(/"([^"]+)"/g)].map(([, phrase = '']) => phrase.trim()).filter(Boolean);
  const written = text
    .replaceAll(/"[^"]*"/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
  const words = [...new Set(written)].map(readWord);
  const telling = words.filter(
    ({ parts, isLiteral }) => isLiteral || !parts.every((part) => stops.has(part)),
  );
  return {
    words: telling.length + phrases.length > 0 ? telling : words,
    phrases: [...new Set(phrases)],
  };
}

/** Returns the pairs of neighbours in a run of characters, which the index has; the character alone if there is no other. */
export function indexedOf(part: string): string[] {
  if (!isRun(part)) return [part];
  const characters = [...part];
  if (characters.length === 1) return characters;
  return [
    ...new Set(characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`)),
  ];
}

/** Returns the words that an index has of a text, but for the parts of identifiers, as `words_of_text` makes them. */
export const indexedWordsOf = (text: string): string[] => [...new Set(wordsOf(text).flatMap(indexedOf))];
