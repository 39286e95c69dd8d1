import { type ChannelRow, type Tx, tables } from '@parley/db';
import { type Audience, roles } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

import { bigintArray, intArray } from '../ids.ts';
import { numberLiteral } from '../number-literal.ts';
import { getRules } from '../permissions/rules.ts';
import { mayReadChannel } from './channel-permissions.ts';

/** Where messages are now: in a channel, or in a direct message conversation between `people`. */
export interface MessagePlace {
  channel: ChannelRow | null;
  people: number[] | null;
}

/**
 * Returns the users who receive a change of messages that are all in one place: those who received or flagged one of
 * them and may still read it, and in a channel with shared history all subscribers. For a channel with protected
 * history, the caller must have locked the conversation, so that nobody subscribes in the meantime.
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

/** Returns a `with` clause: the ordinals of messages in the conversations that they were sent to. */
export const messageOrdinalSpans = (realmId: number, ids: number[]): SQL => sql`
  spans as (
    select realm_id, conversation_id, range_agg(int8range(ordinal, ordinal + 1)) as ordinals
    from messages where realm_id = ${realmId} and id = any(${bigintArray(ids)}) group by realm_id, conversation_id
  )`;

const isSubscribed = (userId: SQL, { realmId, conversationId }: ChannelRow): SQL => sql`exists (
  select from conversation_members x
  where x.realm_id = ${realmId} and x.conversation_id = ${conversationId} and x.user_id = ${userId}
    and x.is_subscribed)`;

/** Rows of the members of a span's conversation that fulfil a condition. They are found by the key, or by a partial index. */
const membersOfSpan = (realmId: number, condition: SQL): SQL => sql`(
  select user_id, received from conversation_members
  where realm_id = ${realmId} and conversation_id = s.conversation_id and ${condition} offset 0
) c`;

/**
 * Users who received or flagged one of the messages and are not subscribed to the channel where they are now; without
 * those who are subscribed to a channel where they were, unless `withOrigins`. Whoever is subscribed to the channel is not
 * looked at: what is done with a message costs as much in a large channel as in a small one.
 */
const nonSubscribersWithMessages = (
  channel: ChannelRow,
  ids: number[],
  { withOrigins }: { withOrigins: boolean },
): SQL => sql`
  select user_id from (
    select c.user_id from spans s cross join lateral ${membersOfSpan(channel.realmId, sql`not is_subscribed`)}
    where c.received && s.ordinals
    ${withOrigins ? sql`union ${subscribersOfOrigins(channel)}` : sql``}
    union
    select user_id from message_flags where realm_id = ${channel.realmId} and message_id = any(${bigintArray(ids)})
  ) owners
  where not ${isSubscribed(sql`owners.user_id`, channel)}`;

const subscribersOfOrigins = ({ realmId, conversationId }: ChannelRow): SQL => sql`
  select c.user_id from spans s cross join lateral ${membersOfSpan(realmId, sql`is_subscribed`)}
  where s.conversation_id <> ${conversationId} and c.received && s.ordinals`;

async function publicChannelAudience(tx: Tx, channel: ChannelRow, ids: number[]): Promise<Audience> {
  const here = channel.conversationId;
  const guestRole = numberLiteral(roles.guest);
  const [row] = await tx.execute<{
    origins: number[];
    others: number[];
    guests_without_access: number[];
  }>(sql`
    with ${messageOrdinalSpans(channel.realmId, ids)}
    select
      array(select conversation_id from spans order by 1) as origins,
      array(
        select o.user_id from (${nonSubscribersWithMessages(channel, ids, { withOrigins: false })}) o
        join users u on u.realm_id = ${channel.realmId} and u.id = o.user_id and u.is_active
        where u.role < ${guestRole} or ${channel.isWebPublic}
        order by 1
      ) as others,
      array(
        select distinct c.user_id from spans s
        cross join lateral (
          select * from conversation_members
          where realm_id = ${channel.realmId} and conversation_id = s.conversation_id and is_subscribed offset 0
        ) c
        cross join lateral (
          select from users where realm_id = ${channel.realmId} and id = c.user_id and role >= ${guestRole} offset 0
        ) u
        where s.conversation_id <> ${here} and not ${channel.isWebPublic}
          and not ${isSubscribed(sql`c.user_id`, channel)}
        order by 1
      ) as guests_without_access`);
  const { origins = [], others = [], guests_without_access: guestsWithoutAccess = [] } = row ?? {};
  return {
    conversations: [...new Set([here, ...origins])],
    ...(others.length > 0 && { users: others }),
    ...(guestsWithoutAccess.length > 0 && { except: guestsWithoutAccess }),
  };
}

async function privateChannelAudience(tx: Tx, channel: ChannelRow, ids: number[]): Promise<Audience> {
  const others = await tx.execute<{ user_id: number }>(sql`
    with ${messageOrdinalSpans(channel.realmId, ids)}
    ${nonSubscribersWithMessages(channel, ids, { withOrigins: true })} order by 1`);
  const users = await listPermittedReaders(
    tx,
    channel,
    others.map(({ user_id }) => user_id),
  );
  return { conversations: [channel.conversationId], ...(users.length > 0 && { users }) };
}

/** Returns those of some users outside of a private channel whom its permissions allow to read it. */
export async function listPermittedReaders(tx: Tx, channel: ChannelRow, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const { users } = tables;
  const rules = await getRules(tx, channel.realmId);
  const rows = await tx
    .select({ id: users.id, role: users.role, isFullMember: users.isFullMember, groupIds: users.groupIds })
    .from(users)
    .where(
      sql`${users.realmId} = ${channel.realmId} and ${users.id} = any(${intArray(ids)}) and ${users.isActive}`,
    )
    .orderBy(users.id);
  return rows
    .filter((user) => mayReadChannel(user, { channel, isSubscribed: false }, rules))
    .map(({ id }) => id);
}

async function protectedChannelAudience(tx: Tx, channel: ChannelRow, ids: number[]): Promise<Audience> {
  const rows = await tx.execute<{ user_id: number; has_received: boolean }>(sql`
    with ${messageOrdinalSpans(channel.realmId, ids)}
    select a.user_id, exists (
        select from spans s cross join lateral (
          select received from conversation_members
          where realm_id = ${channel.realmId} and conversation_id = s.conversation_id and user_id = a.user_id offset 0
        ) c
        where c.received && s.ordinals
      ) as has_received
    from conversation_members a
    where a.realm_id = ${channel.realmId} and a.conversation_id = ${channel.conversationId} and a.is_subscribed
    order by 1`);
  const idsWhere = (received: boolean) =>
    rows.filter(({ has_received }) => has_received === received).map(({ user_id }) => user_id);
  const [received, others] = [idsWhere(true), idsWhere(false)];
  // The shorter list is used, because the log entry carries it.
  if (received.length <= others.length) return { users: received };
  return {
    conversations: [channel.conversationId],
    ...(others.length > 0 && { except: others }),
  };
}
