import { type KeyQuery, allOf, asTsquery } from '@parley/search';
import { sql } from 'drizzle-orm';

import { bigintArray } from '../../ids.ts';
import { searchKeys } from './condition.ts';
import type { Coverage } from './coverage.ts';
import { type Direction, type FoundInPortion, type SearchIn, neighbourOf, numberOf } from './portion.ts';

/** The most messages that are asked for. */
const candidatesMax = 4000;

interface Asked {
  /** The message to begin with. */
  next: number;
  limit: number;
  /** How many messages with the words to look at. */
  hits: number;
  /** Keys of the places to which it is limited. */
  places: readonly KeyQuery[];
}

/**
 * Searches a portion of what a search engine has: it says which messages may contain the words, from one on, and Postgres,
 * which of them are as it says and are the reader's. Null if it does not answer.
 */
export async function searchCandidates(
  { engine, tx, realmId, search, joins, where }: SearchIn,
  coverage: Coverage,
  direction: Direction,
  { next, limit, hits, places }: Asked,
): Promise<FoundInPortion | null> {
  if (!engine || search.query === null) return null;
  const isBack = direction === 'desc';
  const [low, high] = isBack ? [coverage.from, next] : [next, coverage.to];
  const max = Math.min(candidatesMax, hits);
  const query = allOf([search.query, ...places]);
  const { index, generation } = coverage;
  const candidates = await engine.find({ index, generation, realmId, query, low, high, direction, max });
  if (!candidates) return null;
  const last = candidates.length < max ? undefined : candidates.at(-1);
  const from = isBack ? (last ?? low) : low;
  const to = isBack ? high : (last ?? high);
  const changed = coverage.changed.filter((id) => id >= from && id <= to);
  const order = sql.raw(direction);
  const [found] = await tx.execute<{ ids: number[]; next: number | null }>(sql`
    select array(
      select m.id from (
        select * from messages m
        where m.realm_id = ${realmId} and m.id = any(${bigintArray([...candidates, ...changed])}) order by m.id ${order}
      ) m ${joins}
      where ${sql.join([where, ...search.besides], sql` and `)} and ${searchKeys} @@ ${asTsquery(query)}::tsquery
      order by m.id ${order} limit ${limit}
    ) as ids, (${neighbourOf(realmId, direction, isBack ? from : to)}) as next`);
  return {
    ids: (found?.ids ?? []).map(Number),
    hits: candidates.length,
    width: to - from + 1,
    next: numberOf(found?.next),
  };
}
