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
import { fromUnreadInOrder, messageMutedCondition } from './unread.ts';

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
}

/**
 * Returns the message ids around an anchor in a narrow, ascending. Whatever uses them should run in the same snapshot.
 */
export async function fetchMessageIds(tx: Tx, actor: Actor, range: MessageRange): Promise<MessageIdPage> {
  const { scope, isReadable } = await resolveReadable(tx, actor, range.narrow);
  const where = sql.join([isReadable(scope.isWholeHistory), ...scope.conditions], sql` and `);
  const query: PageQuery = { tx, actor, scope, where };
  const anchor = await resolveAnchor(query, range.anchor);
  const isNewest = anchor === limits.anchorNewest;

  const isEnd = isNewest || anchor === 0;
  // What does not wait for each other is sent together, and what no message can be is not asked for.
  const [atAnchor, before, after] = await Promise.all([
    range.includeAnchor && !isEnd ? selectIds(query, sql`${where} and m.id = ${anchor}`, 'asc', 1) : [],
    anchor === 0 ? [] : selectNext(query, 'desc', anchor, range.numBefore + 1),
    isNewest ? [] : selectNext(query, 'asc', anchor, range.numAfter + 1),
  ]);
  return {
    ids: [...before.slice(0, range.numBefore).reverse(), ...atAnchor, ...after.slice(0, range.numAfter)],
    anchor,
    foundAnchor: atAnchor.length > 0,
    foundOldest: anchor === 0 || before.length <= range.numBefore,
    foundNewest: isNewest || after.length <= range.numAfter,
    scope,
  };
}

/** Resolves a narrow, and which messages the actor may read: both by the same rules, which are asked for once. */
async function resolveReadable(tx: Tx, actor: Actor, narrow: NarrowTerm[]) {
  const rules = getRules(tx, actor.realm.id);
  const [scope, isReadable] = await Promise.all([
    resolveNarrow(tx, actor, narrow, rules),
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
  const { ids, anchor, foundAnchor, foundOldest, foundNewest, scope } = await fetchMessageIds(
    tx,
    actor,
    range,
  );
  const { bytesOf, attached } = await weighPage(tx, actor.realm.id, ids);
  const pageIds = cutPage(ids, anchor, bytesOf);
  return {
    messages: await presentMessages(tx, actor, pageIds, range, { search: scope.search, attached }),
    anchor,
    found_anchor: foundAnchor,
    found_oldest: foundOldest && pageIds[0] === ids[0],
    found_newest: foundNewest && pageIds.at(-1) === ids.at(-1),
    history_limited: false,
  };
}

/** Those of `ids` that are in the narrow and that the actor may read, ascending. */
async function filterMessageIds(tx: Tx, actor: Actor, ids: number[], narrow: NarrowTerm[]) {
  const { scope, isReadable } = await resolveReadable(tx, actor, narrow);
  // Messages that are named by id are found in readable channels whether or not the reader received them.
  const visible = isReadable(scope.isWholeHistory || narrow.length === 0);
  const where = sql.join([visible, ...scope.conditions], sql` and `);
  const isAmongIds = sql`${where} and m.id = any(${bigintArray(ids)})`;
  const query = { tx, actor, scope, where };
  return {
    ids: await selectIds(query, isAmongIds, 'asc', limits.messagesPerFetch),
    search: scope.search,
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
  const { ids: readableIds, search } = await filterMessageIds(tx, actor, ids, fetching.narrow);
  const { bytesOf, attached } = await weighPage(tx, actor.realm.id, readableIds);
  const bytes = [...bytesOf.values()].reduce((sum, each) => sum + each, 0);
  if (readableIds.length > 1 && bytes > chosenBytesMax) {
    throw new ApiError('BAD_REQUEST', 'These messages are too large for one reply. Request fewer at once.');
  }
  return await presentMessages(tx, actor, readableIds, fetching, { search, attached });
}

type Direction = 'asc' | 'desc';

interface PageQuery {
  tx: Tx;
  actor: Actor;
  scope: ResolvedNarrow;
  where: SQL;
}

const orderById = (direction: Direction) => (direction === 'asc' ? sql`m.id asc` : sql`m.id desc`);

const pastAnchor = (direction: Direction, anchor: number) =>
  direction === 'asc' ? sql`m.id > ${anchor}` : sql`m.id < ${anchor}`;

async function selectIds({ tx, actor, scope }: PageQuery, where: SQL, direction: Direction, limit: number) {
  // What a search finds comes in no order: it is sorted before anything is looked up for it. Postgres moves the conditions
  // on messages into the selection.
  const messages = scope.search
    ? sql`(select * from messages m where m.realm_id = ${actor.realm.id} order by ${orderById(direction)}) m`
    : sql`messages m`;
  const rows = await tx.execute<{ id: number }>(sql`
    select m.id from ${messages} ${joinMessageReader(actor)}
    where m.realm_id = ${actor.realm.id} and ${where} order by ${orderById(direction)} limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** How many neighbours of the anchor are looked through before each conversation is queried by itself. */
const neighboursMax = 2000;

/**
 * The next messages after or before the anchor. If no condition of the narrow finds few messages by an index of its own,
 * they are mostly among the anchor's neighbours in the realm, or among those that have a link. For a reader who receives
 * few of the realm's messages, each of their conversations is queried for its own next messages, and the nearest of all
 * are taken. The cost of neither grows with the length of the history.
 */
async function selectNext(query: PageQuery, direction: Direction, anchor: number, limit: number) {
  const { tx, actor, scope, where } = query;
  if (scope.isUnreadOnly) return await selectUnread(query, pastAnchor(direction, anchor), direction, limit);
  const next = sql`${where} and ${pastAnchor(direction, anchor)}`;
  if (scope.isSelective) return await selectIds(query, next, direction, limit);

  // What is joined is looked up for one after the other, so no more of them are read than it takes to fill the page.
  const near = await tx.execute<{ id: number }>(sql`
    select m.id from (
      select * from messages m
      where m.realm_id = ${actor.realm.id} and ${pastAnchor(direction, anchor)} and ${scope.ofNeighbours ?? sql`true`}
      order by ${orderById(direction)} limit ${neighboursMax}
    ) m ${joinMessageReader(actor)}
    where ${where} order by ${orderById(direction)} limit ${limit}`);
  if (near.length >= limit) return near.map(({ id }) => id);
  if (scope.ofNeighbours) return await selectIds(query, next, direction, limit);
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

/** Unread messages are sorted before anything is joined, so that the query stops at the first `limit` that match. */
async function selectUnread(
  { tx, actor, scope, where }: PageQuery,
  isInRange: SQL,
  direction: Direction,
  limit: number,
) {
  const order = direction === 'asc' ? sql`asc` : sql`desc`;
  const rows = await tx.execute<{ id: number }>(sql`
    select i.id from ${fromUnreadInOrder(actor, { isInRange, inConversations: scope.inConversations }, order)} ${joinMessageReader(actor)}
    left join user_topics p on p.topic_id = m.topic_id and p.user_id = ${actor.id}
    where ${where} order by i.id ${order} limit ${limit}`);
  return rows.map(({ id }) => id);
}

async function resolveAnchor(query: PageQuery, anchor: Anchor): Promise<number> {
  if (anchor === 'newest') return limits.anchorNewest;
  if (anchor === 'oldest') return 0;
  if (anchor instanceof Date) return await findFirstSince(query, anchor);
  if (anchor !== 'first_unread')
    return isBigId(Math.max(anchor, 0)) ? Math.max(anchor, 0) : limits.anchorNewest;
  const isUnmuted = query.scope.ignoresMutes ? sql`true` : sql`not ${messageMutedCondition}`;
  const unmuted = { ...query, where: sql`${query.where} and ${isUnmuted}` };
  const [first] = await selectUnread(unmuted, sql`true`, 'asc', 1);
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
  const since = sql`${query.where} and m.sent_at >= ${at.toISOString()}::timestamptz`;
  const [first] = await selectNext({ ...query, where: since }, 'asc', Math.max(low - idDisorderMax, 0), 1);
  return first ?? limits.anchorNewest;
}
