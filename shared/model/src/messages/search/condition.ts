import type { Tx } from '@parley/db';
import { ApiError, limits } from '@parley/protocol';
import { type KeyQuery, allOf, anyOf, asTsquery } from '@parley/search';
import { type SQL, sql } from 'drizzle-orm';

import { intArray } from '../../ids.ts';
import { isRun, wordsOf } from './fold.ts';
import { type Form, anywhere, compound, findForms } from './forms.ts';
import type { Highlight } from './highlight.ts';
import { type Search, type SearchWord, indexedOf } from './parse.ts';
import { type TopicSearch, findTopics, literal } from './topics.ts';

/** A search whose words and topics have been looked up. */
export interface PreparedSearch {
  /** What the keys of a message have to contain; null if an index knows nothing of it. */
  query: KeyQuery | null;
  /** What is left to ask of a message `m` that contains it. */
  besides: SQL[];
  /** All of it as a condition on `m`. */
  condition: SQL;
  highlight: Highlight;
  /** Its words, instead of each of which others may be looked for. */
  words: string[];
  /** Whether it is one word of letters, and nothing else. */
  isOneWord: boolean;
}

/**
 * What is looked for instead of a word and its forms, where the reader finds neither: words that begin or end with it, or
 * others with their forms. Of an exact one, the word itself alone is.
 */
export type Fallback = 'beginning' | 'ending' | 'exact' | readonly string[];
export type Fallbacks = ReadonlyMap<string, Fallback>;
const none: Fallbacks = new Map();

/** The keys by which messages are searched. The index is of this very expression. */
export const searchKeys = sql`
  search_keys(m.realm_id, m.id, m.channel_id, m.topic_id, m.sender_id, m.content)`;

/** The keys that tell the language of a message, and the bit of the language in the forms of a word. */
const languages: readonly [bit: number, key: string][] = [
  [2, '~de'],
  [4, '~fr'],
  [8, '~es'],
  [16, '~it'],
  [32, '~pt'],
  [64, '~nl'],
];
/** Short messages tell no language. */
const unknownLanguage = '~0';
/** Where compounds are one word. */
const ofCompounds = ['~de', '~nl'];

/** The most forms of all words of a search. */
const formsOfSearchMax = 400;

function formTerm({ word, languages: bits }: Form): KeyQuery {
  if (bits === 0 || (bits & anywhere) !== 0) return word;
  if (bits === compound) return allOf([word, anyOf(ofCompounds)]);
  const keys = languages.flatMap(([bit, name]) => ((bits & bit) === 0 ? [] : [name]));
  return allOf([word, anyOf([...keys, unknownLanguage])]);
}

/** Looks up the forms of the words of a narrow, with what is looked for beside them. */
async function findAllForms(
  tx: Tx,
  realmId: number,
  words: readonly SearchWord[],
  fallbacks: Fallbacks,
): Promise<(part: string) => Form[]> {
  const wanted = words.flatMap(({ parts, isBeginning, isEnding }) =>
    parts.map((word, index) => ({
      word,
      isBeginning: (isBeginning && index === parts.length - 1) || fallbacks.get(word) === 'beginning',
      isEnding: (isEnding && index === 0) || fallbacks.get(word) === 'ending',
    })),
  );
  const insteadOf = (word: string) => {
    const fallback = fallbacks.get(word) ?? [];
    return typeof fallback === 'string' ? [] : fallback;
  };
  const others = wanted
    .flatMap(({ word }) => insteadOf(word))
    .map((word) => ({ word, isBeginning: false, isEnding: false }));
  const isInForms = ({ word }: { word: string }) => fallbacks.get(word) !== 'exact';
  const found = await findForms(tx, realmId, [...wanted.filter(isInForms), ...others]);
  const formsEach = Math.max(8, Math.floor(formsOfSearchMax / Math.max(1, wanted.length)));
  const formsOf = (part: string): Form[] =>
    fallbacks.get(part) === 'exact'
      ? []
      : [
          ...insteadOf(part).flatMap((word) => [{ word, languages: 0 }, ...formsOf(word)]),
          ...formsBeside(fallbacks.get(part), found.get(part) ?? []).slice(0, formsEach),
        ];
  return formsOf;
}

/** The forms of a word that are looked for: of one that is not found, those alone that begin or end with it. */
function formsBeside(fallback: Fallback | undefined, forms: readonly Form[]): readonly Form[] {
  if (fallback === undefined) return forms;
  return typeof fallback === 'string' ? forms.filter((form) => form.languages === 0) : [];
}

/** Where a search looks, and what for. */
interface SearchScope {
  realmId: number;
  /** In which channels the messages are that it may find; null for any of the realm. */
  channels: readonly number[] | null;
  fallbacks?: Fallbacks | undefined;
}

/**
 * Looks up the words of all searches of a narrow, and the topics whose names match them: by two statements, however many
 * they are, and in a snapshot once. Forms are of all messages, whoever may read them: what is found by them is for the
 * reader to see.
 *
 * @throws BAD_NARROW for more words, phrases or characters than one narrow may search for
 */
export async function prepareSearches(
  tx: Tx,
  { realmId, channels, fallbacks = none }: SearchScope,
  searches: readonly Search[],
): Promise<(search: Search) => PreparedSearch> {
  const words = searches.flatMap((search) => search.words);
  assertBounded(
    new Set(words.map(({ written }) => written)),
    new Set(searches.flatMap(({ phrases }) => phrases)),
  );
  const formsOf = await findAllForms(tx, realmId, words, fallbacks);
  const isLookedFor = (part: string) => !fallbacks.has(part) || fallbacks.get(part) === 'exact';
  const termOf = (part: string) =>
    isRun(part)
      ? allOf(indexedOf(part))
      : anyOf([...(isLookedFor(part) ? [part] : []), ...formsOf(part).map(formTerm)]);

  const units = new Map<string, TopicSearch>();
  for (const word of words) units.set(`word ${word.written}`, topicSearchOf(word, formsOf));
  for (const phrase of searches.flatMap(({ phrases }) => phrases)) {
    units.set(`phrase ${phrase}`, { parts: [], pattern: literal(phrase) });
  }
  const topicsOf = await findTopics(tx, { realmId, channels }, units);

  function prepareUnit(name: string, terms: KeyQuery[], literals: (content: SQL) => SQL[]) {
    const topics = topicsOf.get(name) ?? [];
    const ofTopics = topics.map((id) => `~t${id}`);
    return {
      query: terms.length === 0 ? null : anyOf([allOf(terms), ...ofTopics]),
      besides: literals(sql`m.content`).map((condition) =>
        topics.length === 0 ? condition : sql`(${condition} or m.topic_id = any(${intArray(topics)}))`,
      ),
    };
  }

  function prepare(search: Search): PreparedSearch {
    const prepared = [
      ...search.words.map((word) =>
        prepareUnit(`word ${word.written}`, word.parts.map(termOf), (content) => [
          ...(word.isLiteral ? [sql`${content} ilike ${literal(word.written)}`] : []),
          ...word.parts
            .filter((part) => isRun(part) && [...part].length > 2)
            .map((part) => sql`fold_text(${content}) ilike ${literal(part)}`),
        ]),
      ),
      ...search.phrases.map((phrase) =>
        prepareUnit(`phrase ${phrase}`, wordsOf(phrase).flatMap(indexedOf), (content) => [
          sql`${content} ilike ${literal(phrase)}`,
        ]),
      ),
    ];
    const queries = prepared.flatMap(({ query }) => query ?? []);
    const query = queries.length === 0 ? null : allOf(queries);
    const besides = prepared.flatMap((unit) => unit.besides);
    const byKeys = query === null ? [] : [sql`${searchKeys} @@ ${asTsquery(query)}::tsquery`];
    const conditions = [...byKeys, ...besides];
    return {
      query,
      besides,
      condition: conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`,
      highlight: highlightOf(search, formsOf),
      words: search.words.flatMap(({ parts }) => parts).filter((part) => !isRun(part)),
      isOneWord: isOneWord(search),
    };
  }
  return prepare;
}

const isOneWord = ({ words: [word, ...others], phrases }: Search): boolean =>
  word?.parts.length === 1 && !word.isLiteral && others.length === 0 && phrases.length === 0;

const topicSearchOf = (
  { parts, isLiteral, written }: SearchWord,
  formsOf: (part: string) => Form[],
): TopicSearch => ({
  parts: parts.map((part) =>
    isRun(part) ? { all: indexedOf(part) } : { any: [part, ...formsOf(part).map(({ word }) => word)] },
  ),
  pattern: isLiteral ? literal(written) : null,
});

function highlightOf({ words, phrases }: Search, formsOf: (part: string) => Form[]): Highlight {
  const parts = words.flatMap((word) => word.parts);
  const runs = parts.filter(isRun);
  return {
    words: new Set(
      parts
        .filter((part) => !isRun(part))
        .flatMap((part) => [part, ...formsOf(part).map(({ word }) => word)]),
    ),
    literals: [
      ...phrases,
      ...runs,
      ...words
        .filter(({ isLiteral, parts: of }) => isLiteral && of.length === 0)
        .map(({ written }) => written),
    ],
    pairs: runs.flatMap(indexedOf),
  };
}

function assertBounded(words: ReadonlySet<string>, phrases: ReadonlySet<string>): void {
  const length = [...words, ...phrases].reduce((sum, text) => sum + text.length, 0);
  const isBounded =
    words.size <= limits.searchWords && phrases.size <= limits.searchPhrases && length <= limits.searchLength;
  if (isBounded) return;
  const desc = `a search can have at most ${limits.searchWords} words, ${limits.searchPhrases} phrases and ${limits.searchLength} characters`;
  throw new ApiError('BAD_NARROW', `The narrow is not valid: ${desc}.`, { desc });
}
