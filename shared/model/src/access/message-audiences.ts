import { type ChannelRow, type Tx, tables } from '@parley/db';
import type { Audience } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

import { intArray } from '../ids.ts';
import { getRules } from '../permissions/rules.ts';
import { mayReadChannel } from './channel-permissions.ts';

/** Where messages are: in a channel, or among people. */
export interface MessagePlace {
  channel: ChannelRow | null;
  people: number[] | null;
}

/**
 * Who hears of a change of messages that are in one place: whoever received or marked one of them and may still read
 * it, and in a channel with shared history all its subscribers. Of a protected channel, the caller holds the conversation, so
 * that nobody joins meanwhile.
 */
export async function messageAudience(
  tx: Tx,
  { channel, people }: MessagePlace,
  ids: number[],
): Promise<Audience> {
  if (!channel) return { users: people ?? [] };
  if (!channel.isPrivate) return await publicChannelAudience(tx, channel, ids);
  return channel.sharesHistory
    ? await privateChannelAudience(tx, channel, ids)
    : await protectedChannelAudience(tx, channel, ids);
}

/** The ordinals of messages in the conversations that they were sent to. */
export const messageOrdinalSpans = (ids: number[]): SQL => sql`
  spans as (
    select conversation_id, range_agg(int8range(ordinal, ordinal + 1)) as ordinals
    from messages where id = any(${intArray(ids)}) group by conversation_id
  )`;

const isSubscribed = (userId: SQL, conversationId: number): SQL => sql`exists (
  select from conversation_members x
  where x.conversation_id = ${conversationId} and x.user_id = ${userId} and x.is_subscribed)`;

/** Who has something of the messages, having received or marked them, and is not in the channel where they are. */
const nonSubscribersWithMessages = ({ conversationId }: ChannelRow, ids: number[]): SQL => sql`
  select user_id from (
    select c.user_id from spans s join conversation_members c
      on c.conversation_id = s.conversation_id and not c.is_subscribed and c.received && s.ordinals
    union
    select user_id from message_flags where message_id = any(${intArray(ids)})
  ) having_something
  where not ${isSubscribed(sql`having_something.user_id`, conversationId)}`;

async function publicChannelAudience(tx: Tx, channel: ChannelRow, ids: number[]): Promise<Audience> {
  const here = channel.conversationId;
  const [found] = await tx.execute<{
    origins: number[];
    former: number[];
    blind: number[];
  }>(sql`
    with ${messageOrdinalSpans(ids)}
    select
      array(select conversation_id::int from spans order by 1) as origins,
      array(
        select o.user_id from (${nonSubscribersWithMessages(channel, ids)}) o
        join users u on u.id = o.user_id and u.is_active
        where u.role < 600 or ${channel.isWebPublic}
        order by 1
      ) as former,
      array(
        select distinct c.user_id from spans s
        join conversation_members c on c.conversation_id = s.conversation_id and c.is_subscribed
        join users u on u.id = c.user_id and u.role >= 600
        where s.conversation_id <> ${here} and not ${channel.isWebPublic}
          and not ${isSubscribed(sql`c.user_id`, here)}
        order by 1
      ) as blind`);
  const { origins = [], former = [], blind = [] } = found ?? {};
  return {
    conversations: [...new Set([here, ...origins])],
    ...(former.length > 0 && { users: former }),
    ...(blind.length > 0 && { except: blind }),
  };
}

async function privateChannelAudience(tx: Tx, channel: ChannelRow, ids: number[]): Promise<Audience> {
  const former = await tx.execute<{ user_id: number }>(sql`
    with ${messageOrdinalSpans(ids)} ${nonSubscribersWithMessages(channel, ids)} order by 1`);
  const users = await listPermittedReaders(
    tx,
    channel,
    former.map(({ user_id }) => user_id),
  );
  return { conversations: [channel.conversationId], ...(users.length > 0 && { users }) };
}

/** Of users who are not in a private channel, those whom its permissions let look into it. */
export async function listPermittedReaders(tx: Tx, channel: ChannelRow, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const { users } = tables;
  const rules = await getRules(tx, channel.realmId);
  const found = await tx
    .select({ id: users.id, role: users.role, isFullMember: users.isFullMember })
    .from(users)
    .where(sql`${users.id} = any(${intArray(ids)}) and ${users.isActive}`)
    .orderBy(users.id);
  return found
    .filter((user) => mayReadChannel(user, { channel, isSubscribed: false }, rules))
    .map(({ id }) => id);
}

async function protectedChannelAudience(tx: Tx, channel: ChannelRow, ids: number[]): Promise<Audience> {
  const rows = await tx.execute<{ user_id: number; has_received: boolean }>(sql`
    with ${messageOrdinalSpans(ids)}
    select a.user_id, exists (
        select from spans s join conversation_members c
          on c.conversation_id = s.conversation_id and c.user_id = a.user_id and c.received && s.ordinals
      ) as has_received
    from conversation_members a
    where a.conversation_id = ${channel.conversationId} and a.is_subscribed
    order by 1`);
  const [received, others] = [true, false].map((has) =>
    rows.filter(({ has_received }) => has_received === has).map(({ user_id }) => user_id),
  );
  if (!received || !others) throw new Error('There are two kinds of subscribers.');
  // The shorter list: the entry carries it.
  if (received.length <= others.length) return { users: received };
  return {
    conversations: [channel.conversationId],
    ...(others.length > 0 && { except: others }),
  };
}
