import type { Tx } from '@parley/db';
import { limits } from '@parley/protocol';
import type { SearchEngine } from '@parley/search';
import { sql, type SQL } from 'drizzle-orm';

import { joinMessageReader, readableChannelCondition } from '../access/message-visibility.ts';
import type { Actor } from '../actor.ts';
import type { ResolvedNarrow } from './narrow.ts';
import { readInOrder } from './plans.ts';
import { findNext } from './search/portions.ts';
import { findReach } from './search/reach.ts';
import { deliveredUnreadCondition, fromUnreadInOrder, selectNextUnreadIds } from './unread.ts';

type Direction = 'asc' | 'desc';

/** A narrow for a reader, as conditions on `m` and what `joinMessageReader` joins. */
export interface PageQuery {
  tx: Tx;
  actor: Actor;
  scope: ResolvedNarrow;
  where: SQL;
  /** What the narrow's indexes leave of `where`. */
  besides: SQL;
  /** What is left of it for messages that are unread. */
  ofUnread: SQL;
  /** What is left of it for messages that a search has found. */
  besideSearch: SQL;
  /** What searches ask beside Postgres; null for nothing. */
  engine: SearchEngine | null;
}

/** Joins conditions of which all have to hold. */
export const all = (first: SQL, others: readonly SQL[]) => sql.join([first, ...others], sql` and `);

/** The next messages in a direction, and whether there may be more of them although there are fewer than were asked for. */
export interface Next {
  ids: number[];
  isCut: boolean;
}

export const nothing: Next = { ids: [], isCut: false };

const orderById = (direction: Direction) => (direction === 'asc' ? sql`m.id asc` : sql`m.id desc`);

const pastAnchor = (direction: Direction, anchor: number) =>
  direction === 'asc' ? sql`m.id > ${anchor}` : sql`m.id < ${anchor}`;

/** Returns the first ids of what a condition finds in the order of a direction. */
export async function selectIds({ tx, actor }: PageQuery, where: SQL, direction: Direction, limit: number) {
  const rows = await tx.execute<{ id: number }>(sql`
    select m.id from messages m ${joinMessageReader(actor)}
    where m.realm_id = ${actor.realm.id} and ${where} order by ${orderById(direction)} limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** How many neighbours of the anchor are looked through before anything else is tried. */
const neighboursMax = 2000;

/**
 * Returns the next messages after or before the anchor. They are mostly among its neighbours: in the realm, or among those that an
 * index of the narrow has in their order. Past these, conditions find the others by their own indexes; for a reader who
 * receives few of the realm's messages, each of their conversations is queried for its own next messages, and the nearest
 * of all are taken. The cost of none grows with the length of the history.
 */
export async function selectNext(
  query: PageQuery,
  direction: Direction,
  anchor: number,
  limit: number,
): Promise<Next> {
  const { actor, scope } = query;
  // Those with a flag are few, so their words are looked up.
  if (scope.search && !scope.inOrder.flagged) {
    return await selectFound(
      query,
      { joins: joinMessageReader(actor), where: query.besideSearch },
      direction,
      anchor,
      limit,
    );
  }
  return { ids: await selectNextIds(query, direction, anchor, limit), isCut: false };
}

/** Returns the next messages that a search finds. What is joined to them, and what else has to hold, may need more than the reader. */
export const selectFound = async (
  { tx, actor, scope, engine }: PageQuery,
  beside: { joins: SQL; where: SQL },
  direction: Direction,
  anchor: number,
  limit: number,
): Promise<Next> =>
  scope.search
    ? await findNext(
        {
          tx,
          realmId: actor.realm.id,
          search: scope.search,
          places: scope.places,
          findReach: () => findReach(tx, actor),
          engine,
          ...beside,
        },
        direction,
        anchor,
        limit,
      )
    : nothing;

async function selectNextIds(
  query: PageQuery,
  direction: Direction,
  anchor: number,
  limit: number,
): Promise<number[]> {
  const { scope, where } = query;
  if (scope.isUnreadOnly) {
    const isEnd = direction === 'asc' ? anchor === 0 : anchor === limits.anchorNewest;
    return await selectUnread(query, direction, isEnd ? null : anchor, limit);
  }
  const isInOrder = scope.inOrder.conditions.length > 0 || scope.inOrder.flagged !== null;
  if (scope.isSelective && !isInOrder) {
    return await selectIds(query, sql`${where} and ${pastAnchor(direction, anchor)}`, direction, limit);
  }
  const near = await selectNear(query, direction, anchor, limit);
  if (near.length >= limit) return near;
  const furthest = await findFurthestNeighbour(query, direction, anchor);
  if (furthest === undefined) return near;
  const rest = limit - near.length;
  if (!isInOrder) return [...near, ...(await selectByPlace(query, direction, furthest, rest))];
  // The two are sent together.
  const [, further] = await Promise.all([
    readInOrder(query.tx, { hasOnePlan: false }),
    selectIds(query, sql`${where} and ${pastAnchor(direction, furthest)}`, direction, rest),
  ]);
  return [...near, ...further];
}

const neighbours = sql.raw(String(neighboursMax));

/**
 * Returns whether what a narrow finds first is found in one way, whatever its values are: so a plan may be kept. Of several
 * indexes it depends on the values which has fewer.
 */
export const isFoundInOneWay = ({ search, isUnreadOnly, isSelective, inOrder }: ResolvedNarrow): boolean =>
  !search &&
  (isUnreadOnly ||
    inOrder.flagged !== null ||
    inOrder.conditions.length === 1 ||
    (inOrder.conditions.length === 0 && !isSelective));

/** The anchor's neighbours in one direction, as a relation with all columns of messages, in their order. */
function fromNeighbours({ actor, scope: { inOrder } }: PageQuery, direction: Direction, anchor: number): SQL {
  const conditions = all(sql`m.realm_id = ${actor.realm.id}`, inOrder.conditions);
  if (!inOrder.flagged) {
    return sql`messages m where ${conditions} and ${pastAnchor(direction, anchor)} order by ${orderById(direction)}`;
  }
  const past = direction === 'asc' ? sql`f.message_id > ${anchor}` : sql`f.message_id < ${anchor}`;
  return sql`
    message_flags f cross join lateral (
      select * from messages m where m.realm_id = ${actor.realm.id} and m.id = f.message_id offset 0
    ) m
    where f.realm_id = ${actor.realm.id} and f.user_id = ${actor.id} and ${inOrder.flagged} and ${past} and ${conditions}
    order by f.message_id ${sql.raw(direction)}`;
}

/** What is joined is looked up for one after the other, so no more of them are read than it takes to fill the page. */
async function selectNear(query: PageQuery, direction: Direction, anchor: number, limit: number) {
  const { tx, actor, scope, besides } = query;
  const rows = await tx.execute<{ id: number }>(sql`
    select m.id from (
      select ${scope.inOrder.flagged ? sql`f.message_id` : sql`m.id`} as place, m.* from ${fromNeighbours(query, direction, anchor)} limit ${neighbours}
    ) m ${joinMessageReader(actor)}
    where ${besides} order by m.place ${sql.raw(direction)} limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** The last of the neighbours that were looked through; undefined if there are no more than those. */
async function findFurthestNeighbour(query: PageQuery, direction: Direction, anchor: number) {
  const [furthest] = await query.tx.execute<{ id: number }>(sql`
    select m.id from ${fromNeighbours(query, direction, anchor)} offset ${neighbours} - 1 limit 1`);
  return furthest?.id;
}

/** Asks each conversation of the reader, or each channel, for its own next messages past `furthest`, and takes the nearest of all. */
async function selectByPlace(query: PageQuery, direction: Direction, furthest: number, limit: number) {
  const { tx, scope } = query;
  const inEach = scope.isWholeHistory
    ? await fromChannels(query, direction, furthest, limit)
    : fromReceived(query, direction, furthest, limit);
  const rows = await tx.execute<{ id: number }>(sql`
    select m.id from ${inEach} order by ${orderById(direction)} limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** The next messages of each channel that the reader may read, as the relation `m` of a `from` clause. */
async function fromChannels(
  { tx, actor, where }: PageQuery,
  direction: Direction,
  furthest: number,
  limit: number,
) {
  return sql`
    (
      select h.id from channels h left join lateral (
        select * from conversation_members
        where realm_id = ${actor.realm.id} and conversation_id = h.conversation_id and user_id = ${actor.id} offset 0
      ) k on true
      where h.realm_id = ${actor.realm.id} and ${await readableChannelCondition(tx, actor)} offset 0
    ) place cross join lateral (
      select m.id from messages m ${joinMessageReader(actor)}
      where m.realm_id = ${actor.realm.id} and m.channel_id = place.id and ${where} and ${pastAnchor(direction, furthest)}
      order by ${orderById(direction)} limit ${limit}
    ) m`;
}

/**
 * The next of the messages that the reader received in each conversation, as the relation `m` of a `from` clause. What was said
 * in a channel while the reader was not there is not looked at: in its conversations, ids and ordinals are in the same order.
 * Of direct conversations everything is received, and an import adds older messages at their ends.
 */
function fromReceived(
  { actor, scope, where }: PageQuery,
  direction: Direction,
  furthest: number,
  limit: number,
): SQL {
  const ofPeople = scope.conversationScope === 'direct' ? sql`and d.people is not null` : sql``;
  const isUp = direction === 'asc';
  const past = isUp ? sql`int8range(a.ordinal, null)` : sql`int8range(null, a.ordinal + 1)`;
  const order = sql.raw(direction);
  return sql`
    (
      select o.conversation_id as id, d.people is not null as is_direct, o.received from conversation_members o
      join conversations d on d.realm_id = o.realm_id and d.id = o.conversation_id
      where o.realm_id = ${actor.realm.id} and o.user_id = ${actor.id} ${ofPeople} offset 0
    ) place cross join lateral (
      select m.ordinal from messages m
      where m.realm_id = ${actor.realm.id} and m.conversation_id = place.id and ${pastAnchor(direction, furthest)}
      order by ${orderById(direction)} limit 1
    ) a cross join lateral (
      (select m.id from (
        select r from unnest(place.received * int8multirange(${past})) with ordinality as x (r, n)
        where not place.is_direct order by n ${order}
      ) r cross join lateral (
        select * from messages
        where realm_id = ${actor.realm.id} and conversation_id = place.id
          and ordinal >= coalesce(lower(r.r), 1) and ordinal < coalesce(upper(r.r), ${limits.anchorNewest})
        order by ordinal ${order} offset 0
      ) m ${joinMessageReader(actor)}
      where ${where} limit ${limit})
      union all
      (select m.id from messages m ${joinMessageReader(actor)}
      where place.is_direct and m.realm_id = ${actor.realm.id} and m.conversation_id = place.id
        and ${where} and ${pastAnchor(direction, furthest)}
      order by ${orderById(direction)} limit ${limit})
    ) m`;
}

/** How many more are looked through than are asked for, because some may be muted, or of another topic. */
const spare = 20;

/** Returns the next unread messages: the nearest are looked through, and all others past them only if too few of them match. */
export async function selectUnread(
  query: PageQuery,
  direction: Direction,
  anchor: number | null,
  limit: number,
): Promise<number[]> {
  const { tx, actor, scope, ofUnread } = query;
  const most = limit + spare;
  const next = { direction, anchor, limit: most, inConversations: scope.inConversations };
  const nearest = await tx.execute<{ id: number; is_match: boolean }>(sql`
    select i.id, (${ofUnread} and ${deliveredUnreadCondition(actor)}) as is_match
    from (
      select id from (${selectNextUnreadIds(actor, next)}) i order by id ${sql.raw(direction)} limit ${most}
    ) i
    cross join lateral (select * from messages m where m.realm_id = ${actor.realm.id} and m.id = i.id offset 0) m
    ${joinUnreadReader(actor)}
    order by i.id ${sql.raw(direction)}`);
  const matches = nearest.flatMap(({ id, is_match: isMatch }) => (isMatch ? id : []));
  const last = nearest.at(-1);
  if (matches.length >= limit || nearest.length < most || !last) return matches.slice(0, limit);
  const further = await selectAllUnread(query, direction, last.id, limit - matches.length);
  return [...matches, ...further];
}

/** Unread messages are sorted before anything is joined, so that the query stops at the first `limit` that match. */
async function selectAllUnread(
  { tx, actor, scope, ofUnread }: PageQuery,
  direction: Direction,
  anchor: number,
  limit: number,
): Promise<number[]> {
  const order = direction === 'asc' ? sql`asc` : sql`desc`;
  const among = { isInRange: pastAnchor(direction, anchor), inConversations: scope.inConversations };
  const rows = await tx.execute<{ id: number }>(sql`
    select i.id from ${fromUnreadInOrder(actor, among, order)} ${joinUnreadReader(actor)}
    where ${ofUnread} order by i.id ${order} limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** Joins to `joinMessageReader` what the reader has set for the topic. */
export const joinUnreadReader = (actor: Actor) => sql`${joinMessageReader(actor)}
  left join lateral (
    select * from user_topics where realm_id = ${actor.realm.id} and topic_id = m.topic_id and user_id = ${actor.id} offset 0
  ) p on true`;
