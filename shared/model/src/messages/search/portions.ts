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
/** A portion has at most so many blocks, and so many ids. */
const blocksMax = 32;
const widthMax = blocksMax * 2 ** levels[0].bits;

/** A portion is as wide as so many messages that contain the words are to be expected in, and has at most twice the most. */
const hitsOfPortion = { least: 200, most: 8000 };
const hitsOfPortionMax = 2 * hitsOfPortion.most;
/** Ids of the first portion, where most searches find enough, and how many times as wide as the last one the next may be. */
const [firstWidth, growth] = [2 ** 11, 8];
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
  let last: FoundInPortion | null = null;
  let width = firstWidth;
  let hits = 0;
  let places: readonly KeyQuery[] = query.places;
  let coverage = await askedCoverage(query);
  for (let next = await findNeighbour(query, direction, anchor); next !== null;) {
    if (hits > hitsMax && ids.length > 0) return { ids, isCut: true };
    if (places === query.places && hits >= Math.max(hitsMin, ids.length * hitsOfOne))
      places = [...places, await query.findReach()];
    const wanted = hitsFor(limit - ids.length, hits === 0 ? 1 : ids.length / hits);
    if (last) width = Math.min(widthMax, growth * width, widthFor(last, wanted));
    const rest = { next, limit: limit - ids.length, hits: wanted, places };
    const isCovered = coverage !== null && next >= coverage.from && next <= coverage.to;
    const candidates =
      coverage && isCovered ? await searchCandidates(query, coverage, direction, rest) : null;
    if (isCovered && !candidates) coverage = null;
    const found = candidates ?? (await searchPortion(query, direction, { ...rest, width, coverage }));
    if (!found) {
      width /= growth;
      last = null;
      continue;
    }
    last = found;
    ids.push(...found.ids);
    if (ids.length >= limit) break;
    hits += found.hits;
    next = found.next;
  }
  return { ids, isCut: false };
}

/** What the engine has, if it is asked. */
const askedCoverage = async ({ engine, tx, realmId, search }: SearchIn): Promise<Coverage | null> =>
  engine?.isAvailable && search.query !== null ? await findCoverage(tx, realmId) : null;

/** How many messages with the words to look at for so many of the reader's, if this share of them is. */
const hitsFor = (wanted: number, share: number): number =>
  Math.ceil(Math.min(hitsOfPortion.most, Math.max(hitsOfPortion.least, (2 * wanted) / share)));

/** How many ids have so many messages with the words, if these are as frequent as in the last portion. */
const widthFor = ({ hits, width }: FoundInPortion, wanted: number): number =>
  hits === 0 ? Infinity : (width * wanted) / hits;

interface PortionIn {
  next: number;
  limit: number;
  width: number;
  places: readonly KeyQuery[];
  coverage: Coverage | null;
}

interface Portion {
  low: number;
  high: number;
  /** The keys of the blocks in which it lies. */
  blocks: string[];
}

/** The rest of the block in which an id is, and as many more as make the width. It ends where an engine is asked. */
function portionOf({ next: id, width, coverage }: PortionIn, isBack: boolean): Portion {
  const { bits, key } = levels.findLast((level) => width <= blocksMax * 2 ** level.bits) ?? levels[0];
  const size = 2 ** bits;
  const block = Math.floor(id / size);
  const more = Math.max(1, Math.round(width / size)) - 1;
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

/** What a narrow asks of messages: of thousands, their HTML would be copied for nothing. */
const narrowedColumns = sql`
  id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, edited_at, content,
  has_link, has_image, has_attachment, mentions_channel, read_by, unread_for`;

/** Searches a portion; null if more messages in it have the words than are looked at, so that it has to be a smaller one. */
async function searchPortion(
  { tx, realmId, search, joins, where }: SearchIn,
  direction: Direction,
  portion: PortionIn,
): Promise<FoundInPortion | null> {
  const { low, high, blocks } = portionOf(portion, direction === 'desc');
  const { places } = portion;
  const keys = blocks.map((key) => key.replace('#', String(realmId)));
  const query = allOf([...(search.query === null ? [] : [search.query]), ...places, anyOf(keys)]);
  const conditions = conjunctsOf(query).map((each) => sql`${searchKeys} @@ ${asTsquery(each)}::tsquery`);
  const order = sql.raw(direction);
  const past = direction === 'desc' ? low : high;
  const hitsMost = hitsOfPortionMax + 1;
  const [found] = await tx.execute<{ hits: number; ids: number[]; next: number | null }>(sql`
    with found as materialized (
      select ${narrowedColumns} from messages m
      -- The keys name the ids' blocks. Were the ids named, too, Postgres might read all of them, and make the keys of each.
      where m.realm_id = ${realmId} and ${sql.join(conditions, sql` and `)}
    )
    select (select count(*)::int from (select from found limit ${hitsMost}) f) as hits, array(
      select m.id from (
        select * from (select * from found limit ${hitsMost}) f where id between ${low} and ${high} order by id ${order}
      ) m ${joins}
      where ${sql.join([where, ...search.besides], sql` and `)} order by m.id ${order} limit ${portion.limit}
    ) as ids, (${neighbourOf(realmId, direction, past)}) as next`);
  if (found && found.hits > hitsOfPortionMax) return null;
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
