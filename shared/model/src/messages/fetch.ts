import type { Tx } from '@parley/db';
import { ApiError, limits, type FetchedMessage } from '@parley/protocol';
import { sql, type SQL } from 'drizzle-orm';

import { findReadableMessages, joinMessageReader } from '../access/message-visibility.ts';
import type { Actor } from '../actor.ts';
import { bigintArray, isBigId } from '../ids.ts';
import { getRules } from '../permissions/rules.ts';
import type { NarrowTerm } from './narrow-names.ts';
import { type ResolvedNarrow, resolveNarrow } from './narrow.ts';
import { chosenBytesMax, cutPage, weighPage } from './page-bytes.ts';
import { type MessageFormat, presentMessages } from './present.ts';
import type { Corrections } from './search/condition.ts';
import { correctWords } from './search/correct.ts';
import { findNext } from './search/portions.ts';
import {
  deliveredUnreadCondition,
  fromUnreadInOrder,
  messageMutedCondition,
  messageUnreadCondition,
  selectNextUnreadIds,
} from './unread.ts';

/** Where in the narrow to look: a message id, an end, the first unread message, or the first since a time. */
export type Anchor = number | 'newest' | 'oldest' | 'first_unread' | Date;

export interface MessageRange {
  narrow: NarrowTerm[];
  anchor: Anchor;
  includeAnchor: boolean;
  numBefore: number;
  numAfter: number;
}

/** The ids of the messages in a range of a narrow. */
export interface MessageIdPage {
  ids: number[];
  /** The anchor as an id: 0 for the oldest, above every id for the newest. */
  anchor: number;
  foundAnchor: boolean;
  foundOldest: boolean;
  foundNewest: boolean;
  scope: ResolvedNarrow;
  /** Which words were searched for instead of those that nobody has written, if these alone have found something. */
  corrections: Corrections;
}

/**
 * Returns the message ids around an anchor in a narrow, ascending. Whatever uses them should run in the same snapshot.
 */
export async function fetchMessageIds(tx: Tx, actor: Actor, range: MessageRange): Promise<MessageIdPage> {
  const page = await fetchPage(tx, actor, range);
  const isEmpty = page.ids.length === 0 && page.foundOldest && page.foundNewest;
  const unknown = page.scope.search?.unknown ?? [];
  if (!isEmpty || unknown.length === 0) return page;
  const corrections = await correctWords(tx, actor.realm.id, unknown);
  if (corrections.size === 0) return page;
  const corrected = await fetchPage(tx, actor, range, corrections);
  return corrected.ids.length > 0 ? { ...corrected, corrections } : page;
}

async function fetchPage(
  tx: Tx,
  actor: Actor,
  range: MessageRange,
  corrections?: Corrections,
): Promise<MessageIdPage> {
  const { scope, isReadable } = await resolveReadable(tx, actor, range.narrow, corrections);
  const readable = isReadable(scope.isWholeHistory);
  const query: PageQuery = {
    tx,
    actor,
    scope,
    where: all(readable, scope.conditions),
    besides: all(readable, scope.besides),
    ofUnread: all(readable, scope.ofUnread),
    besideSearch: all(readable, scope.besideSearch),
  };
  const { where } = query;
  // The two are sent together.
  const [, anchor] = await Promise.all([readInOrder(tx), resolveAnchor(query, range.anchor)]);
  const isNewest = anchor === limits.anchorNewest;

  const isEnd = isNewest || anchor === 0;
  // What does not wait for each other is sent together, and what no message can be is not asked for.
  const [atAnchor, before, after] = await Promise.all([
    range.includeAnchor && !isEnd ? selectIds(query, sql`${where} and m.id = ${anchor}`, 'asc', 1) : [],
    anchor === 0 ? nothing : selectNext(query, 'desc', anchor, range.numBefore + 1),
    isNewest ? nothing : selectNext(query, 'asc', anchor, range.numAfter + 1),
  ]);
  return {
    ids: [
      ...before.ids.slice(0, range.numBefore).reverse(),
      ...atAnchor,
      ...after.ids.slice(0, range.numAfter),
    ],
    anchor,
    foundAnchor: atAnchor.length > 0,
    foundOldest: anchor === 0 || (before.ids.length <= range.numBefore && !before.isCut),
    foundNewest: isNewest || (after.ids.length <= range.numAfter && !after.isCut),
    scope,
    corrections: new Map(),
  };
}

/** The next messages in a direction, and whether there may be more of them although there are fewer than were asked for. */
interface Next {
  ids: number[];
  isCut: boolean;
}

const nothing: Next = { ids: [], isCut: false };

/**
 * Lets the rest of a transaction read indexes in their order until enough is found, where Postgres would read much at once
 * and sort it. What is asked for is mostly in memory, where any page of a table costs little more than the one behind it.
 */
const readInOrder = async (tx: Tx): Promise<void> =>
  void (await tx.execute(sql`set local random_page_cost = 1.1`));

/** Resolves a narrow, and which messages the actor may read: both by the same rules, which are asked for once. */
async function resolveReadable(tx: Tx, actor: Actor, narrow: NarrowTerm[], corrections?: Corrections) {
  const rules = getRules(tx, actor.realm.id);
  const [scope, isReadable] = await Promise.all([
    resolveNarrow(tx, actor, narrow, { rules, corrections }),
    findReadableMessages(tx, actor, rules),
    rules,
  ]);
  return { scope, isReadable };
}

/**
 * Returns the messages around an anchor, ascending. A page of long messages holds fewer than were asked for: those
 * nearest to the anchor, and whatever end it does not reach is not found. It must run in one snapshot, or messages and
 * flags may disagree.
 */
export async function fetchMessages(tx: Tx, actor: Actor, range: MessageRange & MessageFormat) {
  const page = await fetchMessageIds(tx, actor, range);
  const { ids, anchor, foundAnchor, foundOldest, foundNewest, scope, corrections } = page;
  // The two are sent together.
  const [{ bytesOf, attached }] = await Promise.all([weighPage(tx, actor.realm.id, ids), planOnce(tx)]);
  const pageIds = cutPage(ids, anchor, bytesOf);
  return {
    messages: await presentMessages(tx, actor, pageIds, range, {
      highlight: scope.search?.highlight,
      attached,
    }),
    anchor,
    found_anchor: foundAnchor,
    found_oldest: foundOldest && pageIds[0] === ids[0],
    found_newest: foundNewest && pageIds.at(-1) === ids.at(-1),
    history_limited: false,
    ...(corrections.size > 0 && { search_corrections: Object.fromEntries(corrections) }),
  };
}

/**
 * Lets each statement of the rest of a transaction have one plan for all values. Those that read a page by its ids have no
 * other way to, and to plan them takes longer than to run them.
 */
const planOnce = async (tx: Tx): Promise<void> =>
  void (await tx.execute(sql`set local plan_cache_mode = force_generic_plan`));

/** Those of `ids` that are in the narrow and that the actor may read, ascending. */
async function filterMessageIds(tx: Tx, actor: Actor, ids: number[], narrow: NarrowTerm[]) {
  const { scope, isReadable } = await resolveReadable(tx, actor, narrow);
  // Messages that are named by id are found in readable channels whether or not the reader received them.
  const visible = isReadable(scope.isWholeHistory || narrow.length === 0);
  const where = all(visible, scope.conditions);
  const isAmongIds = sql`${where} and m.id = any(${bigintArray(ids)})`;
  const query = { tx, actor, scope, where, besides: where, ofUnread: where, besideSearch: where };
  return {
    ids: await selectIds(query, isAmongIds, 'asc', limits.messagesPerFetch),
    highlight: scope.search?.highlight,
  };
}

/**
 * Returns those of the messages `ids` that are in the narrow and that the actor may read, ascending.
 *
 * @throws BAD_REQUEST if several are asked for that are too long for one reply
 */
export async function fetchMessagesByIds(
  tx: Tx,
  actor: Actor,
  ids: number[],
  fetching: MessageFormat & { narrow: NarrowTerm[] },
): Promise<FetchedMessage[]> {
  const { ids: readableIds, highlight } = await filterMessageIds(tx, actor, ids, fetching.narrow);
  const { bytesOf, attached } = await weighPage(tx, actor.realm.id, readableIds);
  const bytes = [...bytesOf.values()].reduce((sum, each) => sum + each, 0);
  if (readableIds.length > 1 && bytes > chosenBytesMax) {
    throw new ApiError('BAD_REQUEST', 'These messages are too large for one reply. Request fewer at once.');
  }
  return await presentMessages(tx, actor, readableIds, fetching, { highlight, attached });
}

type Direction = 'asc' | 'desc';

interface PageQuery {
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
}

const all = (first: SQL, others: readonly SQL[]) => sql.join([first, ...others], sql` and `);

const orderById = (direction: Direction) => (direction === 'asc' ? sql`m.id asc` : sql`m.id desc`);

const pastAnchor = (direction: Direction, anchor: number) =>
  direction === 'asc' ? sql`m.id > ${anchor}` : sql`m.id < ${anchor}`;

async function selectIds({ tx, actor }: PageQuery, where: SQL, direction: Direction, limit: number) {
  const rows = await tx.execute<{ id: number }>(sql`
    select m.id from messages m ${joinMessageReader(actor)}
    where m.realm_id = ${actor.realm.id} and ${where} order by ${orderById(direction)} limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** How many neighbours of the anchor are looked through before anything else is tried. */
const neighboursMax = 2000;

/**
 * The next messages after or before the anchor. They are mostly among its neighbours: in the realm, or among those that an
 * index of the narrow has in their order. Past these, conditions find the others by their own indexes; for a reader who
 * receives few of the realm's messages, each of their conversations is queried for its own next messages, and the nearest
 * of all are taken. The cost of none grows with the length of the history.
 */
async function selectNext(
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

/** The next messages that a search finds. What is joined to them, and what else has to hold, may need more than the reader. */
const selectFound = async (
  { tx, actor, scope }: PageQuery,
  beside: { joins: SQL; where: SQL },
  direction: Direction,
  anchor: number,
  limit: number,
): Promise<Next> =>
  scope.search
    ? await findNext(
        { tx, realmId: actor.realm.id, search: scope.search, places: scope.places, ...beside },
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
  const next = sql`${where} and ${pastAnchor(direction, furthest)}`;
  const further = isInOrder
    ? await selectIds(query, next, direction, rest)
    : await selectByConversation(query, next, direction, rest);
  return [...near, ...further];
}

const neighbours = sql.raw(String(neighboursMax));

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

async function selectByConversation(query: PageQuery, next: SQL, direction: Direction, limit: number) {
  const { tx, actor, scope } = query;
  const rows = await tx.execute<{ id: number }>(sql`
    select m.id from ${conversationsOf(query)} cross join lateral (
      select m.id from messages m ${joinMessageReader(actor)}
      where m.realm_id = ${actor.realm.id} and m.${scope.isWholeHistory ? sql`channel_id` : sql`conversation_id`} = place.id
        and ${next} order by ${orderById(direction)} limit ${limit}
    ) m order by ${orderById(direction)} limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** A relation of the ids to query one by one: the reader's conversations, or the channels of the realm. */
function conversationsOf({ actor, scope }: PageQuery): SQL {
  if (scope.isWholeHistory) return sql`(select id from channels where realm_id = ${actor.realm.id}) place`;
  const ofPeople = scope.conversationScope === 'direct' ? sql`and d.people is not null` : sql``;
  return sql`(
    select o.conversation_id as id from conversation_members o
    join conversations d on d.id = o.conversation_id
    where o.user_id = ${actor.id} ${ofPeople}
  ) place`;
}

/** How many more are looked through than are asked for, because some may be muted, or of another topic. */
const spare = 20;

/** The next unread messages: the nearest are looked through, and all others past them only if too few of them match. */
async function selectUnread(
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

const joinUnreadReader = (actor: Actor) => sql`${joinMessageReader(actor)}
  left join user_topics p on p.topic_id = m.topic_id and p.user_id = ${actor.id}`;

async function resolveAnchor(query: PageQuery, anchor: Anchor): Promise<number> {
  if (anchor === 'newest') return limits.anchorNewest;
  if (anchor === 'oldest') return 0;
  if (anchor instanceof Date) return await findFirstSince(query, anchor);
  if (anchor !== 'first_unread')
    return isBigId(Math.max(anchor, 0)) ? Math.max(anchor, 0) : limits.anchorNewest;
  const isUnmuted = query.scope.ignoresMutes ? sql`true` : sql`not ${messageMutedCondition}`;
  if (query.scope.search) {
    const where = sql`${query.besideSearch} and ${messageUnreadCondition(query.actor)} and ${isUnmuted}`;
    const { ids } = await selectFound(query, { joins: joinUnreadReader(query.actor), where }, 'asc', 0, 1);
    return ids[0] ?? limits.anchorNewest;
  }
  const unmuted = { ...query, ofUnread: sql`${query.ofUnread} and ${isUnmuted}` };
  const [first] = await selectUnread(unmuted, 'asc', null, 1);
  return first ?? limits.anchorNewest;
}

/** Ids rise with time, except that concurrent sends may take ids out of order: by at most so many, it is assumed. */
const idDisorderMax = 1000;

/** The id of the narrow's first message that was sent at a time or later. */
async function findFirstSince(query: PageQuery, at: Date): Promise<number> {
  const [newest] = await query.tx.execute<{ id: number }>(sql`
    select id from messages where realm_id = ${query.actor.realm.id} order by id desc limit 1`);
  let [low, high] = [0, (newest?.id ?? 0) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [message] = await query.tx.execute<{ id: number; is_later: boolean }>(sql`
      select id, sent_at >= ${at.toISOString()}::timestamptz as is_later from messages
      where realm_id = ${query.actor.realm.id} and id >= ${middle} order by id limit 1`);
    if (!message || message.is_later) high = middle;
    else low = message.id + 1;
  }
  const isSince = sql`m.sent_at >= ${at.toISOString()}::timestamptz`;
  const since = {
    ...query,
    where: sql`${query.where} and ${isSince}`,
    besides: sql`${query.besides} and ${isSince}`,
    besideSearch: sql`${query.besideSearch} and ${isSince}`,
  };
  const { ids } = await selectNext(since, 'asc', Math.max(low - idDisorderMax, 0), 1);
  return ids[0] ?? limits.anchorNewest;
}
