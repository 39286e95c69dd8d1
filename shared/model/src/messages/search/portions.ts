import { type KeyQuery, allOf, anyOf, asTsquery, conjunctsOf } from '@parley/search';
import { sql } from 'drizzle-orm';

import { searchCandidates } from './candidates.ts';
import { searchKeys } from './condition.ts';
import { type Coverage, findCoverage } from './coverage.ts';
import { type Direction, type FoundInPortion, type SearchIn, neighbourOf, numberOf } from './portion.ts';

/** What a search has found. */
interface Found {
  ids: number[];
  /** Whether it stopped before it had looked through everything. */
  isCut: boolean;
}

/** Ids that follow each other in blocks of these sizes, as powers of two, and the keys that name a block: see `search_keys`. */
const levels = [
  { bits: 22, key: '~e' },
  { bits: 16, key: '~b' },
  { bits: 10, key: '~a' },
] as const;
const finest = levels[2];

/** About how many messages that contain the words are looked at in one portion, and the most. */
const hitsPerPortion = 8000;
const hitsOfPortionMax = 2 * hitsPerPortion;
/** Once so many have been looked at of which one in so many is the reader's or fewer, the others are passed over by their keys. */
const [hitsMin, hitsOfOne] = [100, 20];
/** A search that has found something ends after so many, and goes on when the reader asks for more. */
const hitsMax = 50_000;

/**
 * Returns the next messages after or before an anchor that a search finds, the nearest first. The history is read in portions,
 * from the anchor on: the more messages contain the words, the smaller ones. So what it reads depends on how much is asked
 * for, and not on how long the history is. What a search engine has of it, that is asked for; what it lacks, and all of it
 * once the engine does not answer, is read in Postgres.
 */
export async function findNext(
  query: SearchIn,
  direction: Direction,
  anchor: number,
  limit: number,
): Promise<Found> {
  const ids: number[] = [];
  let level: Level = finest;
  let hits = 0;
  let isFirst = true;
  let places: readonly KeyQuery[] = query.places;
  let coverage = await askedCoverage(query);
  for (let next = await findNeighbour(query, direction, anchor); next !== null;) {
    if (hits > hitsMax && ids.length > 0) return { ids, isCut: true };
    if (places === query.places && hits >= Math.max(hitsMin, ids.length * hitsOfOne))
      places = [...places, await query.findReach()];
    const rest = { next, limit: limit - ids.length, isFirst, places };
    const isCovered = coverage !== null && next >= coverage.from && next <= coverage.to;
    const candidates =
      coverage && isCovered ? await searchCandidates(query, coverage, direction, rest) : null;
    if (isCovered && !candidates) coverage = null;
    const found = candidates ?? (await searchPortion(query, direction, { ...rest, level, coverage }));
    isFirst = false;
    if (!found) {
      level = finerThan(level);
      continue;
    }
    ids.push(...found.ids);
    if (ids.length >= limit) break;
    hits += found.hits;
    level = levelFor(found.hits / found.width);
    next = found.next;
  }
  return { ids, isCut: false };
}

/** What the engine has, if it is asked. */
const askedCoverage = async ({ engine, tx, realmId, search }: SearchIn): Promise<Coverage | null> =>
  engine?.isAvailable && search.query !== null ? await findCoverage(tx, realmId) : null;

type Level = (typeof levels)[number];

/** The largest blocks in which a portion is not too large, if messages are as frequent there. */
const levelFor = (perId: number): Level =>
  levels.find(({ bits }) => perId * 2 ** bits <= hitsPerPortion) ?? finest;
const finerThan = (level: Level): Level => levels[levels.indexOf(level) + 1] ?? finest;

interface PortionIn {
  next: number;
  limit: number;
  isFirst: boolean;
  level: Level;
  places: readonly KeyQuery[];
  coverage: Coverage | null;
}

interface Portion {
  low: number;
  high: number;
  /** The keys of the blocks in which it lies. */
  blocks: string[];
}

/** How many of the finest blocks are a portion: few at first, where most searches find enough. */
const finestBlocks = { first: 2, later: 8 };

/** The rest of the block in which an id is, and of the finest blocks some more. It ends where an engine is asked. */
function portionOf(
  { next: id, isFirst, level: { bits, key }, coverage }: PortionIn,
  isBack: boolean,
): Portion {
  const size = 2 ** bits;
  const block = Math.floor(id / size);
  const more = bits === finest.bits ? finestBlocks[isFirst ? 'first' : 'later'] - 1 : 0;
  const first = isBack ? Math.max(0, block - more) : block;
  const last = isBack ? block : block + more;
  const isAbove = coverage !== null && id > coverage.to;
  const isBelow = coverage !== null && id < coverage.from;
  return {
    low: isBack ? Math.max(first * size, isAbove ? coverage.to + 1 : 0) : id,
    high: isBack
      ? id
      : Math.min((last + 1) * size - 1, isBelow ? coverage.from - 1 : Number.MAX_SAFE_INTEGER),
    blocks: Array.from({ length: last - first + 1 }, (_, index) => `${key}#.${first + index}`),
  };
}

/** Searches a portion; null if more messages in it have the words than are looked at, so that it has to be a smaller one. */
async function searchPortion(
  { tx, realmId, search, joins, where }: SearchIn,
  direction: Direction,
  portion: PortionIn,
): Promise<FoundInPortion | null> {
  const { low, high, blocks } = portionOf(portion, direction === 'desc');
  const { places, level } = portion;
  const keys = blocks.map((key) => key.replace('#', String(realmId)));
  const query = allOf([...(search.query === null ? [] : [search.query]), ...places, anyOf(keys)]);
  const conditions = conjunctsOf(query).map((each) => sql`${searchKeys} @@ ${asTsquery(each)}::tsquery`);
  const order = sql.raw(direction);
  const past = direction === 'desc' ? low : high;
  const hitsMost = hitsOfPortionMax + 1;
  const [found] = await tx.execute<{ hits: number; ids: number[]; next: number | null }>(sql`
    with found as materialized (
      select * from messages m
      -- The keys name the ids' blocks. Were the ids named, too, Postgres might read all of them, and make the keys of each.
      where m.realm_id = ${realmId} and ${sql.join(conditions, sql` and `)}
    )
    select (select count(*)::int from (select from found limit ${hitsMost}) f) as hits, array(
      select m.id from (
        select * from (select * from found limit ${hitsMost}) f where id between ${low} and ${high} order by id ${order}
      ) m ${joins}
      where ${sql.join([where, ...search.besides], sql` and `)} order by m.id ${order} limit ${portion.limit}
    ) as ids, (${neighbourOf(realmId, direction, past)}) as next`);
  if (level !== finest && found && found.hits > hitsOfPortionMax) return null;
  return {
    ids: (found?.ids ?? []).map(Number),
    hits: found?.hits ?? 0,
    width: high - low + 1,
    next: numberOf(found?.next),
  };
}

async function findNeighbour(
  { tx, realmId }: SearchIn,
  direction: Direction,
  id: number,
): Promise<number | null> {
  const [row] = await tx.execute<{ id: number }>(neighbourOf(realmId, direction, id));
  return numberOf(row?.id);
}
