import type { Tx } from '@parley/db';
import { type SQL, sql } from 'drizzle-orm';

import { isRun } from './fold.ts';
import { selectUncollected } from './newest.ts';

/** A form in which an organization has a word, beside the word itself. */
export interface Form {
  word: string;
  /** The bits of the languages in which it is a form; 0 for one that begins with the word. */
  languages: number;
}

/** A word whose forms are looked for, and whether words that begin with it are meant as well. */
export interface Wanted {
  word: string;
  isBeginning: boolean;
}

/** What is known of a word. */
export interface Forms {
  forms: Form[];
  /** Whether any message or topic has it, in any form. */
  isKnown: boolean;
}

/** English is mixed into every language; Russian and Arabic have scripts of their own. */
export const anywhere = 1 | 128 | 256;

/** Shorter words have no forms. */
const lengthMin = 3;
/** Words of this length stand for those that begin with them; shorter ones only where the organization has no form. */
const beginningMin = 5;
/** The most forms of one word. */
const formsMax = 100;

interface Row extends Record<string, unknown> {
  n: number;
  word: string;
  languages: number | null;
}

/**
 * Returns the forms of words that messages and topics of a realm have: those with the same stem in a language, and those that
 * begin with the word. Forms are of all messages, whoever may read them: what is found by them is for the reader to see.
 */
export async function findForms(
  tx: Tx,
  realmId: number,
  wanted: readonly Wanted[],
): Promise<ReadonlyMap<string, Forms>> {
  const words = wanted.filter(({ word }) => word.length >= lengthMin && !isRun(word));
  if (words.length === 0) return new Map();
  const isArabic = words.some(({ word }) => /^[\u0600-\u06FF]/.test(word));
  const rows = await tx.execute<Row>(sql`
    with wanted as materialized (
      select n::int, word from unnest(${textArray(words.map(({ word }) => word))}) with ordinality w (word, n)
    ),
    stems as materialized (
      select w.n, s.stem, s.languages from wanted w cross join lateral stems_of_word(w.word) s where s.languages > 0
    ),
    newest as materialized (
      ${selectUncollected(realmId)}
    ),
    uncollected as materialized (
      select distinct word from (
        select words_of_text(content) as words from newest
        where octet_length(content) <> length(content) or content ~* ${words.map(({ word }) => word.slice(0, lengthMin)).join('|')}
        union all
        select words_of_text(name) from topics where realm_id = ${realmId} and id in (select topic_id from newest)
      ) t cross join lateral unnest(tsvector_to_array(t.words)) word
      where is_search_term(word) and left(word, ${lengthMin}) = any(${textArray(words.map(({ word }) => word.slice(0, lengthMin)))})
        -- Articles and prepositions of Arabic are part of the word.
        or is_search_term(word) and ${isArabic}::boolean and word ~ '^[\u0600-\u06ff]'
    )
    select n, word, bit_or(languages)::int as languages from (
      (
        select s.n, t.word, t.languages & s.languages as languages
        from stems s join search_terms t on t.realm_id = ${realmId} and t.stem = s.stem and t.languages & s.languages > 0
      )
      union all
      select s.n, u.word, u.languages & s.languages
      from stems s join (
        select u.word, i.stem, i.languages from uncollected u cross join lateral stems_of_word(u.word) i
      ) u on u.stem = s.stem and u.languages & s.languages > 0
    ) f group by n, word
    union all
    select w.n, b.word, null from wanted w cross join lateral (
      (
        select word from search_terms t
        where t.realm_id = ${realmId} and t.word >= w.word and t.word < w.word || chr(1114111) and t.stem = t.word
        order by word limit ${formsMax}
      )
      union
      select word from uncollected where starts_with(word, w.word)
    ) b
    order by n, word`);
  return new Map(
    words.map(({ word, isBeginning }, index) => [
      word,
      chooseForms(
        word,
        isBeginning,
        rows.filter(({ n }) => n === index + 1),
      ),
    ]),
  );
}

/** Returns words as one parameter of a query. They are letters and digits, so nothing in them means anything else. */
const textArray = (words: readonly string[]): SQL =>
  sql`${`{${words.map((word) => `"${word}"`).join(',')}}`}::text[]`;

function chooseForms(word: string, isBeginning: boolean, rows: readonly Row[]): Forms {
  const forms = new Map<string, number>();
  for (const { word: form, languages } of rows)
    if (languages !== null && form !== word) forms.set(form, languages);
  const isItself = rows.some((row) => row.word === word);
  if (isBeginning || word.length >= beginningMin || !(isItself || forms.size > 0)) {
    for (const { word: form } of rows) if (form.startsWith(word) && form !== word) forms.set(form, 0);
  }
  return {
    forms: [...forms].slice(0, formsMax).map(([form, bits]) => ({ word: form, languages: bits })),
    isKnown: isItself || [...forms.values()].some((bits) => (bits & anywhere) !== 0),
  };
}
