import type { Tx } from '@parley/db';
import { limits } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { readableChannelCondition } from '../access/message-visibility.ts';
import type { Actor } from '../actor.ts';
import { inOrder } from '../ids.ts';
import { topicPolicies } from '../user-topics/policies.ts';
import { planForValues } from './plans.ts';
import { deliveredUnreadCondition, fromUnreadIds } from './unread.ts';

/** What one statement reads of unread messages. Lists are null where they would be empty. */
interface UnreadRow extends Record<string, unknown> {
  /** Of the unread messages, newest first. */
  ids: number[] | null;
  /** Where each of them is: the id of its topic, or that of its conversation, below zero. */
  places: number[] | null;
  /** Those that mention everyone in their channel. */
  to_channel: number[] | null;
  /** Those with a flag, and whether it says that they mention the reader by name, and not only all of a topic. */
  flagged: [id: number, isByName: boolean][] | null;
  topics: [id: number, channelId: number, name: string, policy: number | null][] | null;
  /** Those that the reader may read, and whether the reader mutes them. */
  channels: [id: number, isMuted: boolean][] | null;
  conversations: [id: number, people: number[]][] | null;
  /** How many were looked at. */
  looked: number;
}

/**
 * Reads the newest of `lookedMax` messages that may be unread. Ids come from an index, and the messages are read in the
 * order of their ids, so that those which were sent after each other are read together. Topics and channels are looked up
 * once for all that are in them, by an index however many there are of others.
 */
async function readUnread(
  tx: Tx,
  actor: Actor,
  withArchived: boolean,
  lookedMax: number,
): Promise<UnreadRow> {
  const isReadable = await readableChannelCondition(tx, actor);
  // The two are sent together.
  const [, [row]] = await Promise.all([
    planForValues(tx),
    tx.execute<UnreadRow>(sql`
    with looked as materialized (
      select array(
        select i.id from ${fromUnreadIds(actor, { isInRange: sql`true` })} order by i.id desc limit ${lookedMax}
      ) as ids
    ),
    unread as materialized (
      select m.id, coalesce(m.topic_id, -m.conversation_id) as place, m.mentions_channel
      from messages m
      where m.realm_id = ${actor.realm.id} and m.id = any((select ids from looked)::bigint[])
        and ${deliveredUnreadCondition(actor)}
      order by m.id desc limit ${limits.unreadMessages}
    ),
    in_topics as materialized (
      select t.id, t.channel_id, t.name, p.policy
      from (select distinct place from unread where place > 0) u
      cross join lateral (
        select * from topics where realm_id = ${actor.realm.id} and id = u.place offset 0
      ) t
      left join lateral (
        select policy from user_topics
        where realm_id = ${actor.realm.id} and user_id = ${actor.id} and topic_id = t.id offset 0
      ) p on true
    )
    select json_agg(id) as ids, json_agg(place) as places, json_agg(id) filter (where mentions_channel) as to_channel,
      (
        select json_agg(json_build_array(message_id, mentioned)) from message_flags
        where realm_id = ${actor.realm.id} and user_id = ${actor.id} and (mentioned or topic_wildcard_mentioned)
          and message_id = any((select ids from looked)::bigint[])
      ) as flagged,
      (select json_agg(json_build_array(id, channel_id, name, policy)) from in_topics) as topics,
      -- A message that was moved to a channel that the reader may not read stays received, and may be moved back.
      (
        select json_agg(json_build_array(h.id, coalesce(k.is_muted, false)))
        from channels h
        left join lateral (
          select * from conversation_members
          where realm_id = ${actor.realm.id} and conversation_id = h.conversation_id and user_id = ${actor.id} offset 0
        ) k on true
        where h.realm_id = ${actor.realm.id} and h.id = any(array(select distinct channel_id from in_topics))
          and (${withArchived} or not h.is_archived) and ${isReadable}
      ) as channels,
      (
        select json_agg(json_build_array(d.id, d.people))
        from (select distinct -place as id from unread where place < 0) u
        cross join lateral (
          select * from conversations where realm_id = ${actor.realm.id} and id = u.id offset 0
        ) d
      ) as conversations,
      (select cardinality(ids) from looked) as looked
    from unread`),
  ]);
  if (!row) throw new Error('Unread messages were read without a row.');
  return row;
}

/** The unread messages of one place, ascending. */
interface Unread {
  ids: number[];
  mentions: number[];
}

/** A topic or a conversation, by what is known of it. */
interface UnreadPlace extends Unread {
  channelId: number | null;
  topic: string;
  people: number[];
  isMuted: boolean;
}

/** Returns the newest 50 000 unread messages by where they are now. */
async function listUnread(tx: Tx, actor: Actor, withArchived: boolean): Promise<UnreadPlace[]> {
  for (let lookedMax: number = limits.unreadMessages; ; lookedMax *= 2) {
    const row = await readUnread(tx, actor, withArchived, lookedMax);
    // Among more, there may be some that are unread in place of those that are not.
    const isCut = row.looked >= lookedMax && (row.ids?.length ?? 0) < limits.unreadMessages;
    if (!isCut) return placesOf(row);
  }
}

function placesOf({ ids, places, ...row }: UnreadRow): UnreadPlace[] {
  const byPlace = new Map<number, number[]>();
  for (let index = (ids?.length ?? 0) - 1; index >= 0; index -= 1) {
    const [id = 0, place = 0] = [ids?.[index], places?.[index]];
    const listed = byPlace.get(place);
    if (listed) listed.push(id);
    else byPlace.set(place, [id]);
  }
  const flagged = new Map(row.flagged);
  const ofAll = new Set([...(row.to_channel ?? []), ...flagged.keys()]);
  const unreadIn = (place: number, isMuted: boolean): Unread => {
    const unread = byPlace.get(place) ?? [];
    const isMention = (id: number) => ofAll.has(id) && (!isMuted || flagged.get(id) === true);
    return { ids: unread, mentions: ofAll.size === 0 ? [] : unread.filter(isMention) };
  };
  const isChannelMuted = new Map(row.channels);
  const inTopics = (row.topics ?? []).flatMap(([id, channelId, topic, policy]) => {
    const isInMutedChannel = isChannelMuted.get(channelId);
    if (isInMutedChannel === undefined) return [];
    const isMuted =
      policy === topicPolicies.muted ||
      (isInMutedChannel && policy !== topicPolicies.unmuted && policy !== topicPolicies.followed);
    return [{ channelId, topic, people: [], isMuted, ...unreadIn(id, isMuted) }];
  });
  const direct = (row.conversations ?? []).map(([id, people]) => ({
    channelId: null,
    topic: '',
    people,
    isMuted: false,
    ...unreadIn(-id, false),
  }));
  return [...inTopics, ...direct];
}

/** Compares lists as Postgres does: by the first item that differs. */
function comparePeople(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((id, index) => id !== b[index]);
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? Number.NEGATIVE_INFINITY);
}

/** Returns `unread_msgs` of POST /register: the newest 50 000 unread messages, grouped by where they are now. */
export async function unreadMessagesState(tx: Tx, actor: Actor, withArchived: boolean) {
  const places = await listUnread(tx, actor, withArchived);
  const direct = places.filter(({ channelId }) => channelId === null);
  const total = places.reduce((sum, { ids }) => sum + ids.length, 0);
  // Of pairs that have a person in common, the order is that of the others.
  direct.sort((a, b) => comparePeople(a.people, b.people));
  return {
    count: places.reduce((sum, { ids, isMuted }) => sum + (isMuted ? 0 : ids.length), 0),
    pms: direct
      .filter(({ people }) => people.length <= 2)
      .map(({ people, ids }) => {
        const other = people.find((id) => id !== actor.id) ?? actor.id;
        return { other_user_id: other, sender_id: other, unread_message_ids: ids };
      }),
    streams: places
      .flatMap(({ channelId, topic, ids }) =>
        channelId === null ? [] : [{ stream_id: channelId, topic, unread_message_ids: ids }],
      )
      .sort((a, b) => a.stream_id - b.stream_id || (a.topic.toLowerCase() < b.topic.toLowerCase() ? -1 : 1)),
    huddles: direct
      .filter(({ people }) => people.length > 2)
      .map(({ people, ids }) => ({ user_ids_string: people.join(','), unread_message_ids: ids }))
      .sort((a, b) => (a.user_ids_string < b.user_ids_string ? -1 : 1)),
    mentions: inOrder(places.flatMap(({ mentions }) => mentions)),
    old_unreads_missing: total >= limits.unreadMessages,
  };
}
