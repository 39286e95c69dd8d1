import type { Tx } from '@parley/db';
import { limits } from '@parley/protocol';
import { sql, type SQL } from 'drizzle-orm';

import { joinMessageReader, readableMessageCondition } from '../access/message-visibility.ts';
import type { Actor } from '../actor.ts';
import { numberLiteral } from '../number-literal.ts';
import { topicPolicies } from '../user-topics/policies.ts';
import { planForValues } from './plans.ts';

/** A user, or the column that has the user's id. */
type Reader = { id: number | SQL };
/** A user of whom the realm is known. */
type RealmReader = Pick<Actor, 'id' | 'realm'>;
/** Somebody whose settings are joined. */
type Muting = Reader & { realm: { id: number } };

const policy = {
  none: numberLiteral(topicPolicies.none),
  muted: numberLiteral(topicPolicies.muted),
  unmuted: numberLiteral(topicPolicies.unmuted),
  followed: numberLiteral(topicPolicies.followed),
};

/** Returns a condition on `m`: the message was unread for the reader when it was delivered, as most are. */
export const deliveredUnreadCondition = ({ id }: Reader) => sql`
  (not m.read_by @> array[${id}::int] and (m.unread_for is null or m.unread_for @> array[${id}::int]))`;

/**
 * Returns a condition on `m` and `c`, the reader's membership of its conversation: the message is unread for the
 * reader.
 */
export const messageUnreadCondition = (reader: Reader) =>
  sql`(m.ordinal <@ c.received and not m.ordinal <@ c.read and ${deliveredUnreadCondition(reader)})`;

/** The ranges of ordinals that the reader has not read, as the relation `unread` of a `from` clause. */
const fromUnreadRanges = ({ id, realm }: RealmReader) => sql`
  (
    select c.conversation_id, lower(u) as first, upper(u) as after
    from conversation_members c
    cross join lateral (
      select ordinal from conversation_heads
      where realm_id = ${realm.id} and conversation_id = c.conversation_id offset 0
    ) ch
    cross join lateral unnest((c.received - c.read) * int8multirange(int8range(1, ch.ordinal + 1))) u
    where c.realm_id = ${realm.id} and c.user_id = ${id} offset 0
  ) unread`;

/** Which of the reader's unread messages are looked for: conditions on `m.id`, and on `c`, the reader's membership. */
export interface UnreadAmong {
  isInRange: SQL;
  inConversations?: SQL;
}

/** Ranges with so few read messages between them are read as one: a step of the index costs less than a search in it. */
const gapMax = 16;

/**
 * Returns the ids of what may be unread, as the relation `i` of a `from` clause: of some, the message says that it was
 * never unread for the reader. Nothing but an index is read for them.
 */
export const fromUnreadIds = (
  { id, realm }: RealmReader,
  { isInRange, inConversations = sql`true` }: UnreadAmong,
) => sql`
  (
    select c.conversation_id, u.ordinals, r.first, r.after, r.is_one
    from conversation_members c
    cross join lateral (
      select ordinal from conversation_heads
      where realm_id = ${realm.id} and conversation_id = c.conversation_id offset 0
    ) ch
    cross join lateral (
      select c.received * int8multirange(int8range(1, ch.ordinal + 1)) - c.read as ordinals offset 0
    ) u
    cross join lateral (
      select min(first) as first, max(after) as after, count(*) = 1 as is_one from (
        select first, after, count(*) filter (where gap > ${numberLiteral(gapMax)}) over (order by first) as run from (
          select lower(r) as first, upper(r) as after, lower(r) - lag(upper(r)) over (order by lower(r)) as gap
          from unnest(u.ordinals) r
        ) r
      ) r group by run offset 0
    ) r
    where c.realm_id = ${realm.id} and c.user_id = ${id} and ${inConversations} offset 0
  ) unread
  cross join lateral (
    select m.id from messages m
    where m.realm_id = ${realm.id} and m.conversation_id = unread.conversation_id
      and m.ordinal >= unread.first and m.ordinal < unread.after
      and (unread.is_one or m.ordinal <@ unread.ordinals) and ${isInRange} offset 0
  ) i`;

/**
 * Returns the reader's unread messages in an order, as the relation `m` of a `from` clause, and `i.id` as the column
 * that they are ordered by. Their ids come from an index; the messages themselves are read one by one, as many as are
 * asked for.
 */
export const fromUnreadInOrder = (reader: RealmReader, among: UnreadAmong, order: SQL) => sql`
  (select i.id from ${fromUnreadIds(reader, among)} order by i.id ${order}) i
  cross join lateral (
    select * from messages m
    where m.realm_id = ${reader.realm.id} and m.id = i.id and ${deliveredUnreadCondition(reader)} offset 0
  ) m`;

/** Which unread messages come next: the first after an id, or the last before it; of null, those at that end. */
export interface NextUnread {
  direction: 'asc' | 'desc';
  anchor: number | null;
  limit: number;
  inConversations: SQL;
}

/**
 * So many ordinals of a conversation are looked at one after the other, until a few are unread: to subtract the ranges that
 * somebody has read takes longer.
 */
const windowSize = 16;

/**
 * Returns the ids of what comes next of what may be unread, as a statement that yields the column `id`, in no order. Of each
 * conversation a few are read, and of those whose few are all among the first `limit`, as many as it takes: so the cost
 * grows with the reader's conversations and with the page, and not with what is unread. In a conversation, ids and ordinals
 * are in the same order.
 */
export function selectNextUnreadIds(
  reader: RealmReader,
  { direction, anchor, limit, inConversations }: NextUnread,
): SQL {
  const isUp = direction === 'asc';
  const order = sql.raw(direction);
  const few = numberLiteral(Math.ceil(Math.sqrt(limit) / 4));
  const size = numberLiteral(windowSize);
  const furthest = isUp ? sql`max` : sql`min`;
  const isOpen = isUp
    ? sql`o.id < coalesce((select id from bound), ${limits.anchorNewest})`
    : sql`o.id > coalesce((select id from bound), -1)`;
  const past = isUp ? sql`id > ${anchor}` : sql`id < ${anchor}`;
  const atAnchor =
    anchor === null
      ? sql``
      : sql`
    cross join lateral (
      select ordinal from messages
      where realm_id = ${reader.realm.id} and conversation_id = c.conversation_id and ${past} order by id ${order} limit 1
    ) a`;
  const first = isUp && anchor !== null ? sql`a.ordinal` : sql`1`;
  const last = !isUp && anchor !== null ? sql`a.ordinal` : sql`ch.ordinal`;
  // Most have read all up to somewhere.
  const start = isUp
    ? sql`greatest(p.first, (select upper(r) from (select unnest(p.read) as r limit 1) r where lower(r) <= p.first))`
    : sql`p.last`;
  const near = isUp
    ? sql`generate_series(w.start, least(w.start + ${size} - 1, p.last))`
    : sql`generate_series(w.start, greatest(w.start - ${size} + 1, 1), -1)`;
  const far = isUp
    ? sql`int8range(least(w.start + ${size}, p.last + 1), p.last + 1)`
    : sql`int8range(null, w.start - ${size} + 1)`;
  const beyond = isUp
    ? sql`int8range(o.ordinal + 1, greatest(o.ordinal, p.last) + 1)`
    : sql`int8range(null, o.ordinal)`;
  const within = (range: SQL) =>
    sql`(p.received * int8multirange(${range})) - (p.read * int8multirange(${range}))`;
  const next = (range: SQL) => nextInRanges(reader, within(range), direction);
  return sql`
    with places as materialized (
      -- The union decompresses the ranges once for all that is looked at.
      select c.conversation_id, c.received, c.read + '{}'::int8multirange as read, greatest(${first}, lower(c.received)) as first, ${last} as last
      from conversation_members c
      cross join lateral (
        select ordinal from conversation_heads
      where realm_id = ${reader.realm.id} and conversation_id = c.conversation_id offset 0
      ) ch ${atAnchor}
      where c.realm_id = ${reader.realm.id} and c.user_id = ${reader.id} and ${inConversations}
    ), few as materialized (
      select p.conversation_id, n.id, n.ordinal from places p
      cross join lateral (select ${start} as start offset 0) w
      cross join lateral (
        (select m.id, m.ordinal from (
          select ordinal from (select ${near} as ordinal) s
          where p.received @> ordinal and not p.read @> ordinal offset 0
        ) o
        cross join lateral (
          select id, ordinal from messages
          where realm_id = ${reader.realm.id} and conversation_id = p.conversation_id and ordinal = o.ordinal offset 0
        ) m)
        union all ${next(far)} limit ${few}
      ) n
    ), bound as (
      select case when count(*) = ${limit} then ${furthest}(id) end as id from (
        select id from few order by id ${order} limit ${limit}
      ) nearest
    ), open as (
      select conversation_id, ${furthest}(id) as id, ${furthest}(ordinal) as ordinal from few
      group by conversation_id having count(*) = ${few}
    )
    select id from few
    union all
    select n.id from open o
    join places p on p.conversation_id = o.conversation_id
    cross join lateral (${next(beyond)} limit ${limit}) n
    where ${isOpen}`;
}

/** The messages of the place `p` with these ordinals, nearest first; no more ranges are looked into than it takes. */
function nextInRanges({ realm }: RealmReader, ordinals: SQL, direction: NextUnread['direction']): SQL {
  const ranges =
    direction === 'asc'
      ? sql`(select unnest(${ordinals}) as r)`
      : sql`(select r from unnest(${ordinals}) with ordinality as x (r, n) order by n desc)`;
  return sql`
    (select m.id, m.ordinal from ${ranges} r
    cross join lateral (
      select id, ordinal from messages
      where realm_id = ${realm.id} and conversation_id = p.conversation_id
        and ordinal >= lower(r.r) and ordinal < upper(r.r)
      order by ordinal ${sql.raw(direction)} offset 0
    ) m)`;
}

/**
 * Returns the reader's unread messages, as the relation `m` of a `from` clause. The cost grows with the unread messages
 * and with the reader's conversations, and not with the messages that have been read. `offset 0` keeps Postgres from
 * starting with the messages: it cannot estimate how few are in a range.
 */
export const fromUnreadMessages = (reader: RealmReader) => sql`
  ${fromUnreadRanges(reader)}
  cross join lateral (
    select * from messages m
    where m.realm_id = ${reader.realm.id} and m.conversation_id = unread.conversation_id
      and m.ordinal >= unread.first and m.ordinal < unread.after and ${deliveredUnreadCondition(reader)} offset 0
  ) m`;

/** A condition: `m` is in a channel or topic that the reader mutes. joinMessageMutes joins `k` and `p`. */
export const messageMutedCondition: SQL = sql`
  (m.channel_id is not null and (p.policy is not distinct from ${policy.muted}
    or (coalesce(k.is_muted, false)
      and coalesce(p.policy, ${policy.none}) not in (${policy.unmuted}, ${policy.followed}))))`;

/**
 * Joins the channel that `m` is in now, `h`, the reader's membership of it, `k`, and the reader's visibility policy of
 * its topic, `p`.
 */
export const joinMessageMutes = ({ id, realm }: Muting): SQL => sql`
  left join lateral (select * from channels where realm_id = ${realm.id} and id = m.channel_id offset 0) h on true
  left join lateral (
    select * from conversation_members
    where realm_id = ${realm.id} and conversation_id = h.conversation_id and user_id = ${id} offset 0
  ) k on true
  left join lateral (
    select * from user_topics where realm_id = ${realm.id} and topic_id = m.topic_id and user_id = ${id} offset 0
  ) p on true`;

/** Returns `starred_messages` of POST /register, ascending. */
export async function starredMessagesState(tx: Tx, actor: Actor): Promise<number[]> {
  const condition = await readableMessageCondition(tx, actor, true);
  // The two are sent together.
  const [, rows] = await Promise.all([
    planForValues(tx),
    tx.execute<{ id: number }>(sql`
    select f.message_id as id from message_flags f
    join messages m on m.realm_id = ${actor.realm.id} and m.id = f.message_id ${joinMessageReader(actor)}
    where f.realm_id = ${actor.realm.id} and f.user_id = ${actor.id} and f.starred and ${condition}
    order by f.message_id limit ${limits.starredMessages}`),
  ]);
  return rows.map(({ id }) => id);
}

/** Returns `recent_private_conversations` of POST /register, newest first. Costs one index step per conversation. */
export async function recentConversationsState(tx: Tx, actor: Actor) {
  const rows = await tx.execute<{ people: number[]; id: number }>(sql`
    select d.people, m.id from conversation_members c
    join conversations d on d.realm_id = c.realm_id and d.id = c.conversation_id and d.people is not null
    cross join lateral (
      select id from messages where realm_id = ${actor.realm.id} and conversation_id = d.id order by id desc limit 1
    ) m
    where c.realm_id = ${actor.realm.id} and c.user_id = ${actor.id} order by m.id desc limit ${limits.recentConversations}`);
  return rows.map(({ people, id }) => ({
    max_message_id: id,
    user_ids: people.filter((userId) => userId !== actor.id),
  }));
}
