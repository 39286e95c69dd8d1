import { type Tx, readOnce } from '@parley/db';
import { type SQL, sql } from 'drizzle-orm';

import { isRun } from './fold.ts';
import { selectUncollected } from './newest.ts';

/** A form in which an organization has a word, beside the word itself. */
export interface Form {
  word: string;
  /** The bits of the languages in which it is a form; 0 for one that begins or ends with the word, in any language. */
  languages: number;
}

/** A word whose forms are looked for, and whether words that begin or end with it are meant as well. */
export interface Wanted {
  word: string;
  isBeginning: boolean;
  isEnding: boolean;
}

/** English is mixed into every language; Russian and Arabic have scripts of their own. */
export const anywhere = 1 | 128 | 256;
/** The bit of a compound, which German and Dutch write as one word that ends with the one looked for. */
export const compound = 512;

/** Shorter words have no forms. */
const lengthMin = 3;
/** Words of this length stand for those that begin with them. */
const beginningMin = 5;
/** Words of this length stand for compounds that end with them, where so many letters or more are before. */
const [endingMin, headMin] = [5, 3];
/** The most forms of one word. */
const formsMax = 100;

interface Row extends Record<string, unknown> {
  n: number;
  word: string;
  /** Null for a word that begins or ends with the one looked for. */
  languages: number | null;
}

/**
 * Returns the forms of words that messages and topics of a realm have: those with the same stem in a language, and those that
 * begin or end with the word. Forms are of all messages, whoever may read them: what is found by them is for the reader to see.
 */
export async function findForms(
  tx: Tx,
  realmId: number,
  wanted: readonly Wanted[],
): Promise<ReadonlyMap<string, Form[]>> {
  const words = wanted.filter(({ word }) => word.length >= lengthMin && !isRun(word));
  if (words.length === 0) return new Map();
  const asked = words.map(({ word }) => word);
  const rows = await readOnce(tx, `forms in ${realmId} of ${asked.join(' ')}`, () =>
    listForms(tx, realmId, asked),
  );
  return new Map(
    words.map((one, index) => [
      one.word,
      chooseForms(
        one,
        rows.filter(({ n }) => n === index + 1),
      ),
    ]),
  );
}

async function listForms(tx: Tx, realmId: number, words: readonly string[]): Promise<readonly Row[]> {
  const isArabic = words.some((word) => /^[\u0600-\u06FF]/.test(word));
  return await tx.execute<Row>(sql`
    with wanted as materialized (
      select n::int, word from unnest(${textArray(words)}) with ordinality w (word, n)
    ),
    stems as materialized (
      select w.n, s.stem, s.languages from wanted w cross join lateral stems_of_word(w.word) s where s.languages > 0
    ),
    newest as materialized (
      ${selectUncollected(realmId)}
    ),
    uncollected as materialized (
      select distinct word from (
        select words_of_text(text) as words from (
          select content as text from newest
          union all
          select t.name from (select distinct topic_id from newest) n cross join lateral (
            select name from topics where realm_id = ${realmId} and id = n.topic_id offset 0
          ) t
        ) t where octet_length(text) <> length(text) or text ~* ${words.map((word) => word.slice(0, lengthMin)).join('|')}
      ) t cross join lateral unnest(tsvector_to_array(t.words)) word
      where is_search_term(word) and (
        left(word, ${lengthMin}) = any(${textArray(words.map((word) => word.slice(0, lengthMin)))})
        or right(word, ${lengthMin}) = any(${textArray(words.map((word) => word.slice(-lengthMin)))})
      )
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
      (
        select word from search_terms t
        where t.realm_id = ${realmId} and reverse(t.word) collate "C" >= reverse(w.word)
          and reverse(t.word) collate "C" < reverse(w.word) || chr(1114111) and t.stem = t.word
        order by reverse(word) collate "C" limit ${formsMax}
      )
      union
      select word from uncollected where starts_with(word, w.word) or right(word, length(w.word)) = w.word
    ) b
    order by n, word`);
}

/** Returns words as one parameter of a query. They are letters and digits, so nothing in them means anything else. */
const textArray = (words: readonly string[]): SQL =>
  sql`${`{${words.map((word) => `"${word}"`).join(',')}}`}::text[]`;

function chooseForms({ word, isBeginning, isEnding }: Wanted, rows: readonly Row[]): Form[] {
  const forms = new Map<string, number>();
  for (const { word: form, languages } of rows)
    if (languages !== null && form !== word) forms.set(form, languages);
  const others = rows.map((row) => row.word).filter((form) => form !== word);
  if (isBeginning || word.length >= beginningMin) {
    for (const form of others) if (form.startsWith(word)) forms.set(form, 0);
  }
  if (isEnding || word.length >= endingMin) {
    for (const form of others)
      if (form.endsWith(word) && (isEnding || isCompound(word, form)) && !forms.has(form))
        forms.set(form, isEnding ? 0 : compound);
  }
  return [...forms].slice(0, formsMax).map(([form, bits]) => ({ word: form, languages: bits }));
}

const isCompound = (word: string, form: string) => form.length >= word.length + headMin;
