import type { Tx } from '@parley/db';
import distance from 'damerau-levenshtein';
import { sql } from 'drizzle-orm';

import { selectUncollected } from './newest.ts';

/** Words of this length may have one typing error, and two from the other on. */
const oneErrorFrom = 5;
const twoErrorsFrom = 9;
/** How many words that begin, end, or go on alike are compared, and in how many the last are looked for. */
const candidatesMax = 1500;
const lookedThroughMax = 200_000;
/** The most words of one distance. */
const nearestMax = 24;

const errorsIn = (word: string) => {
  const { length } = word;
  if (length < oneErrorFrom) return 0;
  return length < twoErrorsFrom ? 1 : 2;
};

/**
 * Returns the words of a realm, whoever may read them, that differ from one by a typing error, and then those that do by two:
 * letters that are missing, too many, others, or that have changed places. A word has its beginning or its end right, or
 * its middle.
 */
export async function findNearWords(tx: Tx, realmId: number, word: string): Promise<string[][]> {
  const errors = errorsIn(word);
  if (errors === 0) return [];
  const candidates = (await listCandidates(tx, realmId, word, errors)).map((candidate) => ({
    candidate,
    steps: distance(word, candidate).steps,
  }));
  return Array.from({ length: errors }, (_, index) =>
    candidates
      .filter(({ steps }) => steps === index + 1)
      .map(({ candidate }) => candidate)
      .sort()
      .slice(0, nearestMax),
  );
}

async function listCandidates(tx: Tx, realmId: number, word: string, errors: number): Promise<string[]> {
  const letters = [...word];
  const part = Math.max(1, Math.floor((letters.length - 1) / (errors + 1)));
  const start = letters.slice(0, part).join('');
  const ending = letters.slice(-part).reverse().join('');
  const middle = letters.slice(part, -part).join('');
  const isLong = sql`length(word) between ${letters.length - errors} and ${letters.length + errors}`;
  const ofRealm = sql`realm_id = ${realmId} and stem = word`;
  const rows = await tx.execute<{ word: string }>(sql`
    (
      select word from search_terms
      where ${ofRealm} and word >= ${start} and word < ${start} || chr(1114111) and ${isLong}
      order by word limit ${candidatesMax}
    )
    union
    (
      select word from search_terms
      where ${ofRealm} and reverse(word) collate "C" >= ${ending} and reverse(word) collate "C" < ${ending} || chr(1114111)
        and ${isLong} limit ${candidatesMax}
    )
    union
    (
      select word from (select word from search_terms where ${ofRealm} and ${errors}::int > 1 limit ${lookedThroughMax}) t
      where ${isLong} and strpos(word, ${middle.slice(1, -1)}) > 0 limit ${candidatesMax}
    )
    union
    select word from (
      select words_of_text(content) as words from (${selectUncollected(realmId)}) m
    ) t cross join lateral unnest(tsvector_to_array(t.words)) word where is_search_term(word) and ${isLong}`);
  return rows.map((row) => row.word);
}
