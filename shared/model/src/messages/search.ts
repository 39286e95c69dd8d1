import type { Tx } from '@parley/db';
import { type SQL, sql } from 'drizzle-orm';

import { intArray } from '../ids.ts';

/** A search: words, which match in any grammatical form, and phrases, which match literally. */
export interface Search {
  words: string[];
  phrases: string[];
}

const partsMax = 50;

/** The most topics by whose name a word or phrase matches. */
const topicsMax = 1000;

export function parseSearch(text: string): Search {
  const phrases = [...text.matchAll(/"([^"]+)"/g)].map(([, phrase = '']) => phrase.trim()).filter(Boolean);
  const words = text
    .replaceAll(/"[^"]*"/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
  return { words: words.slice(0, partsMax), phrases: phrases.slice(0, partsMax) };
}

const literal = (phrase: string) => `%${phrase.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** A condition on `m`: its content or its topic contains every word and phrase. Both use an index. */
export async function searchCondition(tx: Tx, realmId: number, { words, phrases }: Search): Promise<SQL> {
  const conditions: SQL[] = [];
  for (const word of words) {
    const query = sql`plainto_tsquery('english', ${word})`;
    const topics = await listMatchingTopicIds(tx, realmId, sql`to_tsvector('english', t.name) @@ ${query}`);
    // A stop word of the dictionary, such as "the", matches every message.
    conditions.push(
      sql`(m.search @@ ${query} or m.topic_id = any(${intArray(topics)}) or numnode(${query}) = 0)`,
    );
  }
  for (const phrase of phrases) {
    const topics = await listMatchingTopicIds(tx, realmId, sql`t.name ilike ${literal(phrase)}`);
    const query = sql`plainto_tsquery('english', ${phrase})`;
    conditions.push(sql`(
      ((m.search @@ ${query} or numnode(${query}) = 0) and m.content ilike ${literal(phrase)})
      or m.topic_id = any(${intArray(topics)}))`);
  }
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

async function listMatchingTopicIds(tx: Tx, realmId: number, condition: SQL): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(sql`
    select t.id from topics t join channels h on h.id = t.channel_id and h.realm_id = ${realmId}
    where ${condition} limit ${topicsMax}`);
  return rows.map(({ id }) => id);
}

/** Postgres marks matches with two control characters that no message contains: its options cannot contain quotes. */
const highlightOptions = 'StartSel=\u0002, StopSel=\u0003, HighlightAll=true';

const highlighted = (text: SQL, query: SQL) => sql`
  replace(replace(ts_headline('english', ${text}, ${query}, ${highlightOptions}),
    chr(2), '<span class="highlight">'), chr(3), '</span>')`;

/** Columns with the content of `m` and its topic `t` as HTML in which matches are highlighted. */
export function highlightColumns({ words, phrases }: Search): SQL {
  const allWords = sql`plainto_tsquery('english', ${[...words, ...phrases].join(' ')})`;
  // Each word is highlighted, whether or not the other words are in the same column.
  const query = sql`replace(${allWords}::text, '&', '|')::tsquery`;
  const topic = sql`replace(replace(replace(coalesce(t.name, ''), '&', '&amp;'), '<', '&lt;'), '>', '&gt;')`;
  return sql`${highlighted(sql`m.rendered_content`, query)} as match_content, ${highlighted(topic, query)} as match_subject`;
}
