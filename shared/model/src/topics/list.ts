import type { Tx, ChannelRow, TopicRow } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { sql, type SQL } from 'drizzle-orm';

import { mayReadChannelHistory } from '../access/channel-permissions.ts';
import { getReadableChannel } from '../access/channels.ts';
import type { Actor } from '../actor.ts';
import { getRules } from '../permissions/rules.ts';
import { findTopic } from './find.ts';

export interface ListedTopic {
  name: string;
  maxId: number;
}

interface Row extends Record<string, unknown> {
  name: string;
  max_id: number;
}

/**
 * Returns the topics of a channel in which the actor may read a message, newest first. Costs one index step per topic,
 * however many messages there are.
 *
 * @throws BAD_REQUEST for a channel that the actor may not read
 */
export async function listTopics(tx: Tx, actor: Actor, channelId: number): Promise<ListedTopic[]> {
  const rules = await getRules(tx, actor.realm.id);
  const access = await getReadableChannel(tx, actor, channelId, rules);
  const { channel, isSubscribed } = access;
  const isWhole = mayReadChannelHistory(actor, access, rules);
  // Of protected history, whoever is no longer subscribed reads nothing, also if they may subscribe again.
  if (!isWhole && !isSubscribed) return [];
  const newest = isWhole ? newestOfAll(channel) : newestReceived(actor, channel);
  const rows = await tx.execute<Row>(sql`
    select t.name, max(m.id) as max_id from (${newest}) m join topics t on t.realm_id = ${channel.realmId} and t.id = m.topic_id
    group by t.id, t.name order by max_id desc`);
  return rows.map(({ name, max_id }) => ({ name, maxId: max_id }));
}

/**
 * Returns a topic by name (case-insensitive), in which the actor may read a message.
 *
 * @throws BAD_REQUEST for a channel or a topic that the actor may not read: it looks like one that does not exist
 */
export async function getReadableTopic(
  tx: Tx,
  actor: Actor,
  channelId: number,
  name: string,
): Promise<TopicRow> {
  const access = await getReadableChannel(tx, actor, channelId);
  const topic = await findTopic(tx, access.channel, name);
  const isReadable =
    topic &&
    (mayReadChannelHistory(actor, access, await getRules(tx, actor.realm.id)) ||
      (await listTopics(tx, actor, channelId)).some((listed) => listed.name === topic.name));
  if (!isReadable) throw new ApiError('BAD_REQUEST', `There is no topic called '${name}'.`);
  return topic;
}

const newestOfAll = ({ id, realmId }: ChannelRow): SQL => sql`
  select t.id as topic_id, m.id from topics t
  cross join lateral (
    select id from messages where realm_id = ${realmId} and topic_id = t.id order by id desc limit 1
  ) m
  where t.realm_id = ${realmId} and t.channel_id = ${id}`;

/**
 * The newest message that the actor received, per topic, in a channel with protected history. Received messages are
 * ranges of ordinals. Ids rise with ordinals, so these are ranges of ids as well, and messages outside of them are not
 * visited. Messages that were moved here from other channels are not in these ranges and are looked up by their moves.
 */
const newestReceived = (actor: Actor, { id, realmId, conversationId }: ChannelRow): SQL => sql`
  with spans as (
    select
      (select id from messages where realm_id = ${realmId} and conversation_id = ${conversationId} and ordinal >= lower(r)
        order by ordinal limit 1) as first_id,
      (select id from messages where realm_id = ${realmId} and conversation_id = ${conversationId}
        and (upper_inf(r) or ordinal < upper(r)) order by ordinal desc limit 1) as last_id
    from conversation_members c cross join lateral unnest(c.received) r
    where c.realm_id = ${realmId} and c.conversation_id = ${conversationId} and c.user_id = ${actor.id}
  )
  select t.id as topic_id, m.id from topics t cross join spans s
  cross join lateral (
    select id from messages
    where realm_id = ${realmId} and topic_id = t.id and id between s.first_id and s.last_id
      and conversation_id = ${conversationId}
    order by id desc limit 1
  ) m
  where t.realm_id = ${realmId} and t.channel_id = ${id}
  union all
  select m.topic_id, m.id from message_moves v
  cross join lateral unnest(v.message_ids) r
  join messages m on m.realm_id = v.realm_id and m.id >= lower(r) and m.id < upper(r)
  join conversation_members c on c.realm_id = m.realm_id and c.conversation_id = m.conversation_id and c.user_id = ${actor.id}
  where v.realm_id = ${realmId} and v.channel_id = ${id} and v.prev_channel_id <> ${id}
    and m.channel_id = ${id} and m.conversation_id <> ${conversationId} and m.ordinal <@ c.received`;
