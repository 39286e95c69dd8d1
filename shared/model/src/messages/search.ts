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
/** In how many channels a word is looked for together. What Postgres does grows with their square. */
const channelsAtOnce = 100;

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
    const hasLexemes = sql`words_in_realm(m.realm_id, m.search)
      @@ (plainto_tsquery('english', ${text}) && ${`~${realmId}`}::tsquery)`;
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
  const matchesOf = (kind: 'word' | 'phrase', texts: string[], topics: SQL) => sql`
    select ${kind}::text as kind, p.text, numnode(plainto_tsquery('english', p.text)) = 0 as is_stop,
      array(${topics} limit ${topicsMax}) as topics
    from jsonb_to_recordset(${JSON.stringify(texts.map((text) => ({ text, pattern: literal(text) })))}::text::jsonb)
      p (text text, pattern text)`;
  if (words.length + phrases.length === 0) return new Map<string, Match>();
  // The index is asked for the word behind each channel: for the longest one, if the text has several.
  const withWord = sql`
    select t.id from (
      select array_agg(h.id || ' ' || (
        select word from unnest(tsvector_to_array(to_tsvector('english', p.text))) word order by length(word) desc limit 1
      )) as keys
      from (
        select id, row_number() over () / ${channelsAtOnce}::int as part from channels where realm_id = ${realmId}
      ) h group by h.part
    ) h cross join lateral (
      select id from topics
      where words_in_channel(channel_id, to_tsvector('english', name)) && h.keys
        and to_tsvector('english', name) @@ plainto_tsquery('english', p.text) offset 0
    ) t`;
  const withPhrase = sql`
    select t.id from channels h cross join lateral (
      select id from topics where channel_id = h.id and name ilike p.pattern offset 0
    ) t where h.realm_id = ${realmId}`;
  const rows = await tx.execute<Match>(sql`
    ${matchesOf('word', words, withWord)} union all ${matchesOf('phrase', phrases, withPhrase)}`);
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
