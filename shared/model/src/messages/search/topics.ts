import { type Tx, readOnce } from '@parley/db';
import { type SQL, sql } from 'drizzle-orm';

import { intArray } from '../../ids.ts';

/** What the name of a topic has to contain. */
export interface TopicSearch {
  /** Of each part any or all of its words. */
  parts: ({ any: string[] } | { all: string[] })[];
  /** A pattern that it has to match, beside its words. */
  pattern: string | null;
}

/** The most topics by whose name a word or phrase matches. */
const topicsMax = 1000;
/** In how many channels a word is looked for together. What Postgres does grows with their square. */
const channelsAtOnce = 100;
/** By how many forms of its longest word a name is found: fewer, the more channels there are to look in. */
const keysMax = 10;
const lookUpsMax = 300;

/** Returns a pattern that matches whatever contains a text. */
export const literal = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

const quoted = (word: string) => `'${word}'`;
const wordsIn = (part: TopicSearch['parts'][number]) => ('any' in part ? part.any : part.all);
const queryOf = (part: TopicSearch['parts'][number]) =>
  `(${wordsIn(part)
    .map(quoted)
    .join('any' in part ? ' | ' : ' & ')})`;

/** The words by one of which the index finds a name that matches. */
function keysOf(parts: TopicSearch['parts']): string[] {
  const [longest] = parts.toSorted((a, b) => (wordsIn(b)[0]?.length ?? 0) - (wordsIn(a)[0]?.length ?? 0));
  if (!longest) return [];
  return 'any' in longest ? longest.any.slice(0, keysMax) : longest.all.slice(0, 1);
}

/** Returns the topics of channels whose names match each of some searches: of all channels of a realm where `channels` is null. */
export async function findTopics(
  tx: Tx,
  { realmId, channels }: { realmId: number; channels: readonly number[] | null },
  searches: ReadonlyMap<string, TopicSearch>,
): Promise<ReadonlyMap<string, number[]>> {
  if (searches.size === 0 || channels?.length === 0) return new Map();
  const asked = [...searches].map(([name, { parts, pattern }]) => ({
    name,
    keys: keysOf(parts),
    query: parts.map(queryOf).join(' & '),
    pattern,
  }));
  const text = JSON.stringify(asked);
  const among = channels ? sql`id = any(${intArray(channels)})` : sql`true`;
  const rows = await readOnce(tx, `topics in ${realmId} ${channels?.join(' ')} of ${text}`, () =>
    listTopics(tx, { realmId, among }, text),
  );
  return new Map(rows.map(({ name, topics }) => [name, topics.map(Number)]));
}

interface Row extends Record<string, unknown> {
  name: string;
  topics: number[];
}

/** Lists the topics of each search in a list of them, which is JSON. */
const listTopics = async (
  tx: Tx,
  { realmId, among }: { realmId: number; among: SQL },
  asked: string,
): Promise<readonly Row[]> =>
  await tx.execute<Row>(sql`
    with asked as materialized (
      select * from jsonb_to_recordset(${asked}::text::jsonb)
        a (name text, keys text[], query text, pattern text)
    ),
    places as materialized (
      select array_agg(id) as ids from (
        select id, row_number() over () / ${channelsAtOnce}::int as part from channels where realm_id = ${realmId} and ${among}
      ) h group by part
    )
    select a.name, array(
      select t.id from places p
      cross join lateral (
        select array_agg(channel || ' ' || word) as keys
        from unnest(p.ids) channel, unnest(a.keys[1:greatest(1, ${lookUpsMax} / (select count(*)::int from channels where realm_id = ${realmId} and ${among}))]) word
      ) k
      cross join lateral (
        select id from topics
        where realm_id = ${realmId} and words_in_channel(channel_id, words_of_text(name)) && k.keys and words_of_text(name) @@ a.query::tsquery
          and (a.pattern is null or name ilike a.pattern) offset 0
      ) t limit ${topicsMax}
    ) as topics
    from asked a where a.query <> ''
    union all
    select a.name, array(
      select t.id from (select id from channels where realm_id = ${realmId} and ${among}) h cross join lateral (
        select id from topics where realm_id = ${realmId} and channel_id = h.id and name ilike a.pattern offset 0
      ) t limit ${topicsMax}
    )
    from asked a where a.query = ''`);
