import type { Tx } from '@parley/db';
import { type SQL, sql } from 'drizzle-orm';

import { type PreparedSearch, searchKeys } from './condition.ts';

/** A search among the messages of a realm. */
export interface SearchIn {
  tx: Tx;
  realmId: number;
  search: PreparedSearch;
  /** Keys of the place to which the narrow limits it. */
  places: readonly string[];
  /** What is joined to a message `m` that contains it, and what else has to hold. */
  joins: SQL;
  where: SQL;
}

/** What a search has found. */
interface Found {
  ids: number[];
  /** Whether it stopped before it had looked through everything. */
  isCut: boolean;
}

type Direction = 'asc' | 'desc';

/** Ids that follow each other in blocks of these sizes, as powers of two, and the keys that name a block: see `search_keys`. */
const levels = [
  { bits: 22, key: '~e' },
  { bits: 16, key: '~b' },
  { bits: 10, key: '~a' },
] as const;
const finest = levels[2];

/** About how many messages that contain the words are looked at in one portion. */
const hitsPerPortion = 8000;
/** A search that has found something ends after so many, and goes on when the reader asks for more. */
const hitsMax = 50_000;

/**
 * Returns the next messages after or before an anchor that a search finds, the nearest first. The history is read in portions,
 * from the anchor on: the more messages contain the words, the smaller ones. So what it reads depends on how much is asked
 * for, and not on how long the history is.
 */
export async function findNext(
  query: SearchIn,
  direction: Direction,
  anchor: number,
  limit: number,
): Promise<Found> {
  const ids: number[] = [];
  let level: (typeof levels)[number] = finest;
  let hits = 0;
  let isFirst = true;
  for (let next = await findNeighbour(query, direction, anchor); next !== null;) {
    if (hits > hitsMax && ids.length > 0) return { ids, isCut: true };
    const portion = portionOf(next, level, { isBack: direction === 'desc', isFirst });
    isFirst = false;
    const found = await searchPortion(query, direction, portion, limit - ids.length);
    ids.push(...found.ids);
    if (ids.length >= limit) break;
    hits += found.hits;
    level = levelFor(found.hits / (portion.high - portion.low + 1));
    next = found.next;
  }
  return { ids, isCut: false };
}

/** The largest blocks in which a portion is not too large, if messages are as frequent there. */
const levelFor = (perId: number) => levels.find(({ bits }) => perId * 2 ** bits <= hitsPerPortion) ?? finest;

interface Portion {
  low: number;
  high: number;
  /** The keys of the blocks in which it lies. */
  blocks: string[];
}

/** How many of the finest blocks are a portion: few at first, where most searches find enough. */
const finestBlocks = { first: 2, later: 8 };

/** The rest of the block in which an id is, and of the finest blocks some more. */
function portionOf(
  id: number,
  { bits, key }: (typeof levels)[number],
  { isBack, isFirst }: { isBack: boolean; isFirst: boolean },
): Portion {
  const size = 2 ** bits;
  const block = Math.floor(id / size);
  const more = bits === finest.bits ? finestBlocks[isFirst ? 'first' : 'later'] - 1 : 0;
  const first = isBack ? Math.max(0, block - more) : block;
  const last = isBack ? block : block + more;
  return {
    low: isBack ? first * size : id,
    high: isBack ? id : (last + 1) * size - 1,
    blocks: Array.from({ length: last - first + 1 }, (_, index) => `${key}#.${first + index}`),
  };
}

async function searchPortion(
  { tx, realmId, search, places, joins, where }: SearchIn,
  direction: Direction,
  { low, high, blocks }: Portion,
  limit: number,
): Promise<{ hits: number; ids: number[]; next: number | null }> {
  const keys = blocks.map((key) => `'${key.replace('#', String(realmId))}'`);
  const query = [
    ...(search.query === null ? [] : [search.query]),
    `(${keys.join(' | ')})`,
    ...places.map((place) => `'${place}'`),
  ].join(' & ');
  const order = sql.raw(direction);
  const past = direction === 'desc' ? low : high;
  const [found] = await tx.execute<{ hits: number; ids: number[]; next: number | null }>(sql`
    with found as materialized (
      select * from messages m
      -- The keys name the ids' blocks. Were the ids named, too, Postgres might read all of them, and make the keys of each.
      where m.realm_id = ${realmId} and ${searchKeys} @@ ${query}::tsquery
    )
    select (select count(*)::int from found) as hits, array(
      select m.id from (select * from found where id between ${low} and ${high} order by id ${order}) m ${joins}
      where ${sql.join([where, ...search.besides], sql` and `)} order by m.id ${order} limit ${limit}
    ) as ids, (${neighbourOf(realmId, direction, past)}) as next`);
  return { hits: found?.hits ?? 0, ids: (found?.ids ?? []).map(Number), next: numberOf(found?.next) };
}

const numberOf = (id: number | null | undefined) => (id === null || id === undefined ? null : Number(id));

/** The next message in a direction: ids may have gaps of any size. */
const neighbourOf = (realmId: number, direction: Direction, id: number) => sql`
  select id from messages
  where realm_id = ${realmId} and id ${sql.raw(direction === 'desc' ? '<' : '>')} ${id}::bigint
  order by id ${sql.raw(direction)} limit 1`;

async function findNeighbour(
  { tx, realmId }: SearchIn,
  direction: Direction,
  id: number,
): Promise<number | null> {
  const [row] = await tx.execute<{ id: number }>(neighbourOf(realmId, direction, id));
  return numberOf(row?.id);
}
