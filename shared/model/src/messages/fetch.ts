import type { Tx } from '@parley/db';
import { limits, type FetchedMessage } from '@parley/protocol';
import { sql, type SQL } from 'drizzle-orm';

import { readableMessageCondition, joinMessageReader } from '../access/message-visibility.ts';
import type { Actor } from '../actor.ts';
import { intArray } from '../ids.ts';
import { type NarrowTerm, type ResolvedNarrow, resolveNarrow } from './narrow.ts';
import { type MessageFormat, presentMessages } from './present.ts';
import { fromUnreadMessages, messageMutedCondition } from './unread.ts';

/** Where in the narrow to look: at a position, at an end, at the first unread message, or at the first since a time. */
export type Anchor = number | 'newest' | 'oldest' | 'first_unread' | Date;

export interface MessageRange {
  narrow: NarrowTerm[];
  anchor: Anchor;
  includeAnchor: boolean;
  numBefore: number;
  numAfter: number;
}

/** What a range of a narrow holds, by id. */
export interface MessageIdPage {
  ids: number[];
  /** The anchor as an id: 0 for the oldest, above every id for the newest. */
  anchor: number;
  foundAnchor: boolean;
  foundOldest: boolean;
  foundNewest: boolean;
  scope: ResolvedNarrow;
}

/** The ids around an anchor in a narrow, ascending. Run it in one snapshot with what is done with them. */
export async function fetchMessageIds(tx: Tx, actor: Actor, range: MessageRange): Promise<MessageIdPage> {
  const scope = await resolveNarrow(tx, actor, range.narrow);
  const visible = await readableMessageCondition(tx, actor, scope.isWholeHistory);
  const where = sql.join([visible, ...scope.conditions], sql` and `);
  const looking: PageQuery = { tx, actor, scope, where };
  const anchor = await resolveAnchor(looking, range.anchor);
  const isNewest = anchor === limits.anchorNewest;

  const atAnchor = range.includeAnchor
    ? await selectIds(looking, sql`${where} and m.id = ${clamp(anchor)}`, 'asc', 1)
    : [];
  const before = await selectNext(looking, 'desc', anchor, range.numBefore + 1);
  const after = isNewest ? [] : await selectNext(looking, 'asc', anchor, range.numAfter + 1);
  return {
    ids: [...before.slice(0, range.numBefore).reverse(), ...atAnchor, ...after.slice(0, range.numAfter)],
    anchor,
    foundAnchor: atAnchor.length > 0,
    foundOldest: anchor === 0 || before.length <= range.numBefore,
    foundNewest: isNewest || after.length <= range.numAfter,
    scope,
  };
}

/** A page of messages around an anchor, ascending. Run it in one snapshot, or page and flags may disagree. */
export async function fetchMessages(tx: Tx, actor: Actor, range: MessageRange & MessageFormat) {
  const { ids, anchor, foundAnchor, foundOldest, foundNewest, scope } = await fetchMessageIds(
    tx,
    actor,
    range,
  );
  return {
    messages: await presentMessages(tx, actor, ids, range, scope.search),
    anchor,
    found_anchor: foundAnchor,
    found_oldest: foundOldest,
    found_newest: foundNewest,
    history_limited: false,
  };
}

/** The messages among `ids` that the narrow holds and the actor may read, ascending; others are left out. */
export async function filterMessageIds(tx: Tx, actor: Actor, ids: number[], narrow: NarrowTerm[]) {
  const scope = await resolveNarrow(tx, actor, narrow);
  // Named one by one, messages of readable channels are found whether or not the reader received them.
  const visible = await readableMessageCondition(tx, actor, scope.isWholeHistory || narrow.length === 0);
  const where = sql.join([visible, ...scope.conditions], sql` and `);
  const wanted = sql`${where} and m.id = any(${intArray(ids)})`;
  const found = await selectIds({ tx, actor, scope, where }, wanted, 'asc', limits.messagesPerFetch);
  return { ids: found, search: scope.search };
}

export async function fetchMessagesByIds(
  tx: Tx,
  actor: Actor,
  ids: number[],
  fetching: MessageFormat & { narrow: NarrowTerm[] },
): Promise<FetchedMessage[]> {
  const found = await filterMessageIds(tx, actor, ids, fetching.narrow);
  return await presentMessages(tx, actor, found.ids, fetching, found.search);
}

/** Ids are int in Postgres, anchors are not. */
const clamp = (anchor: number) => Math.min(anchor, 2_147_483_647);

type Direction = 'asc' | 'desc';

interface PageQuery {
  tx: Tx;
  actor: Actor;
  scope: ResolvedNarrow;
  where: SQL;
}

const orderById = (direction: Direction) => (direction === 'asc' ? sql`m.id asc` : sql`m.id desc`);

const pastAnchor = (direction: Direction, anchor: number) =>
  direction === 'asc' ? sql`m.id > ${clamp(anchor)}` : sql`m.id < ${clamp(anchor)}`;

async function selectIds({ tx, actor }: PageQuery, where: SQL, direction: Direction, limit: number) {
  const rows = await tx.execute<{ id: number }>(sql`
    select m.id from messages m ${joinMessageReader(actor)}
    where ${where} order by ${orderById(direction)} limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** So many neighbours of the anchor are looked through before each conversation is asked by itself. */
const neighboursMax = 2000;

/**
 * The next messages from the anchor on. Where no condition leads to them by an index, they are mostly among the
 * anchor's neighbours in the realm; for a reader who hears little of it, each of their conversations gives its own
 * next ones, and the nearest of all are taken. Neither grows with the length of the history.
 */
async function selectNext(looking: PageQuery, direction: Direction, anchor: number, limit: number) {
  const { tx, actor, scope, where } = looking;
  const next = sql`${where} and ${pastAnchor(direction, anchor)}`;
  if (scope.isUnreadOnly) return await selectUnread(looking, next, direction, limit);
  if (scope.isSelective) return await selectIds(looking, next, direction, limit);

  const near = await tx.execute<{ id: number }>(sql`
    select m.id from (
      select * from messages m
      where m.realm_id = ${actor.realm.id} and ${pastAnchor(direction, anchor)}
      order by ${orderById(direction)} limit ${neighboursMax}
    ) m ${joinMessageReader(actor)}
    where ${where} order by ${orderById(direction)} limit ${limit}`);
  if (near.length >= limit) return near.map(({ id }) => id);
  const rows = await tx.execute<{ id: number }>(sql`
    select m.id from ${conversationsOf(looking)} cross join lateral (
      select m.id from messages m ${joinMessageReader(actor)}
      where m.${scope.isWholeHistory ? sql`channel_id` : sql`conversation_id`} = lane.id
        and ${next} order by ${orderById(direction)} limit ${limit}
    ) m order by ${orderById(direction)} limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** Where the reader's messages are: their conversations, or the channels of the realm. */
function conversationsOf({ actor, scope }: PageQuery): SQL {
  if (scope.isWholeHistory) return sql`(select id from channels where realm_id = ${actor.realm.id}) lane`;
  const ofPeople = scope.conversationScope === 'direct' ? sql`and d.people is not null` : sql``;
  return sql`(
    select o.conversation_id as id from conversation_members o
    join conversations d on d.id = o.conversation_id
    where o.user_id = ${actor.id} ${ofPeople}
  ) lane`;
}

/** Sorted before anything is joined, so that the first that fit end the search. */
async function selectUnread({ tx, actor }: PageQuery, where: SQL, direction: Direction, limit: number) {
  const rows = await tx.execute<{ id: number }>(sql`
    select m.id from (select m.* from ${fromUnreadMessages(actor)} order by ${orderById(direction)}) m ${joinMessageReader(actor)}
    left join user_topics p on p.topic_id = m.topic_id and p.user_id = ${actor.id}
    where ${where} order by ${orderById(direction)} limit ${limit}`);
  return rows.map(({ id }) => id);
}

async function resolveAnchor(looking: PageQuery, anchor: Anchor): Promise<number> {
  if (anchor === 'newest') return limits.anchorNewest;
  if (anchor === 'oldest') return 0;
  if (anchor instanceof Date) return await findFirstSince(looking, anchor);
  if (anchor !== 'first_unread') return Math.min(Math.max(anchor, 0), limits.anchorNewest);
  const heard = looking.scope.ignoresMutes ? sql`true` : sql`not ${messageMutedCondition}`;
  const [first] = await selectUnread(looking, sql`${looking.where} and ${heard}`, 'asc', 1);
  return first ?? limits.anchorNewest;
}

/** Ids follow time, but for what realms draw at the same moment: so many may be out of order. */
const idDisorderMax = 1000;

/** The first message of the narrow that was sent at a time or later. */
async function findFirstSince(looking: PageQuery, at: Date): Promise<number> {
  let [low, high] = [0, clamp(limits.anchorNewest)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [found] = await looking.tx.execute<{ id: number; is_later: boolean }>(sql`
      select id, sent_at >= ${at.toISOString()}::timestamptz as is_later from messages
      where id >= ${middle} order by id limit 1`);
    if (!found || found.is_later) high = middle;
    else low = found.id + 1;
  }
  const since = sql`${looking.where} and m.sent_at >= ${at.toISOString()}::timestamptz`;
  const [first] = await selectNext({ ...looking, where: since }, 'asc', low - idDisorderMax, 1);
  return first ?? limits.anchorNewest;
}
