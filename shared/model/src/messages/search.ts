import type { Tx } from '@parley/db';
import { ApiError, limits } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

import { intArray } from '../ids.ts';

/** A search: words, which match in any grammatical form, and phrases, which match literally. */
export interface Search {
  words: string[];
  phrases: string[];
}

/** A condition on `m`: its content or its topic contains every word and phrase. Both use an index. */
export type SearchCondition = (search: Search) => SQL;

/** The most topics by whose name a word or phrase matches. */
const topicsMax = 1000;

export function parseSearch(text: string): Search {
  const phrases = [...text.matchAll(/"([^"]+)"/g)].map(([, phrase = '']) => phrase.trim()).filter(Boolean);
  const words = text
    .replaceAll(/"[^"]*"/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
  return { words: [...new Set(words)], phrases: [...new Set(phrases)] };
}

const literal = (phrase: string) => `%${phrase.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/**
 * Prepares the conditions of all searches of a narrow, by one statement for all of their words and phrases.
 *
 * @throws BAD_NARROW for more words, phrases or characters than one narrow may search for
 */
export async function prepareSearches(
  tx: Tx,
  realmId: number,
  searches: readonly Search[],
): Promise<SearchCondition> {
  const words = [...new Set(searches.flatMap((search) => search.words))];
  const phrases = [...new Set(searches.flatMap((search) => search.phrases))];
  assertBounded(words, phrases);
  const matches = await listMatches(tx, realmId, words, phrases);

  function partCondition(kind: 'word' | 'phrase', text: string): SQL {
    const { topics, is_stop: isStop } = matches.get(`${kind} ${text}`) ?? { topics: [], is_stop: false };
    // A stop word of the dictionary, such as "the", matches every message.
    if (kind === 'word' && isStop) return sql`true`;
    const hasLexemes = sql`m.search @@ plainto_tsquery('english', ${text})`;
    const isInContent =
      kind === 'word'
        ? hasLexemes
        : sql`(${isStop ? sql`true` : hasLexemes} and m.content ilike ${literal(text)})`;
    return topics.length > 0 ? sql`(${isInContent} or m.topic_id = any(${intArray(topics)}))` : isInContent;
  }

  return (search) => {
    const conditions = [
      ...search.words.map((word) => partCondition('word', word)),
      ...search.phrases.map((phrase) => partCondition('phrase', phrase)),
    ];
    return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
  };
}

function assertBounded(words: string[], phrases: string[]): void {
  const length = [...words, ...phrases].reduce((sum, text) => sum + text.length, 0);
  const isBounded =
    words.length <= limits.searchWords &&
    phrases.length <= limits.searchPhrases &&
    length <= limits.searchLength;
  if (isBounded) return;
  const desc = `a search can have at most ${limits.searchWords} words, ${limits.searchPhrases} phrases and ${limits.searchLength} characters`;
  throw new ApiError('BAD_NARROW', `The narrow is not valid: ${desc}.`, { desc });
}

interface Match extends Record<string, unknown> {
  kind: 'word' | 'phrase';
  text: string;
  /** Whether the dictionary passes over all of it. */
  is_stop: boolean;
  topics: number[];
}

async function listMatches(tx: Tx, realmId: number, words: string[], phrases: string[]) {
  const matchesOf = (kind: 'word' | 'phrase', texts: string[], condition: SQL) => sql`
    select ${kind}::text as kind, p.text, numnode(plainto_tsquery('english', p.text)) = 0 as is_stop, array(
      select t.id from topics t join channels h on h.id = t.channel_id and h.realm_id = ${realmId}
      where ${condition} limit ${topicsMax}
    ) as topics
    from jsonb_to_recordset(${JSON.stringify(texts.map((text) => ({ text, pattern: literal(text) })))}::text::jsonb)
      p (text text, pattern text)`;
  if (words.length + phrases.length === 0) return new Map<string, Match>();
  const hasWord = sql`to_tsvector('english', t.name) @@ plainto_tsquery('english', p.text)`;
  const rows = await tx.execute<Match>(sql`
    ${matchesOf('word', words, hasWord)} union all ${matchesOf('phrase', phrases, sql`t.name ilike p.pattern`)}`);
  return new Map(rows.map((row) => [`${row.kind} ${row.text}`, row]));
}

/** Postgres marks matches with two control characters that no message contains: its options cannot contain quotes. */
const highlightOptions = 'StartSel=\u0002, StopSel=\u0003, HighlightAll=true';

const highlighted = (text: SQL, query: SQL) => sql`
  replace(replace(ts_headline('english', ${text}, ${query}, ${highlightOptions}),
    chr(2), '<span class="highlight">'), chr(3), '</span>')`;

/** Returns columns with the content of `m` and its topic `t` as HTML in which matches are highlighted. */
export function highlightColumns({ words, phrases }: Search): SQL {
  const allWords = sql`plainto_tsquery('english', ${[...words, ...phrases].join(' ')})`;
  // Each word is highlighted, whether or not the other words are in the same column.
  const query = sql`replace(${allWords}::text, '&', '|')::tsquery`;
  const topic = sql`replace(replace(replace(coalesce(t.name, ''), '&', '&amp;'), '<', '&lt;'), '>', '&gt;')`;
  return sql`${highlighted(sql`m.rendered_content`, query)} as match_content, ${highlighted(topic, query)} as match_subject`;
}
