import type { Tx, ChannelRow } from '@parley/db';
import { bigintArray } from '@parley/model';
import * as model from '@parley/model';
import { type Audience, roles } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import type { Move } from './move-plan.ts';

/** Above so many users who lose access, the entry names the members who keep it, if they are fewer. */
const losersListedMax = 1000;

/** Users who can see messages in the channel that they leave, and cannot in the one that they go to. */
export interface UsersLosingAccess {
  ids: number[];
  /** The users among `ids` who are not subscribed to the channel that the messages leave. */
  outside: number[];
  /** Subscribers of that channel who keep access to the messages. */
  staying: number[];
  /** The conversation of that channel. */
  conversationId: number;
}

/**
 * Lists the users who can see one of the messages now, by being in the channel or by having received it, and will not
 * be able to after the move. It runs before the move; both conversations are locked, so that nobody joins or leaves
 * meanwhile.
 */
export async function listUsersLosingAccess(tx: Tx, { from, to, ids }: Move): Promise<UsersLosingAccess> {
  const [source, target] = [from.channel, to.channel];
  const viewers = await tx.execute<Viewer>(sql`
    with ${model.access.messageOrdinalSpans(source.realmId, ids)}, viewers as (
      select user_id from conversation_members
        where realm_id = ${source.realmId} and conversation_id = ${source.conversationId} and is_subscribed and ${source.sharesHistory}
      union
      select c.user_id from spans s cross join lateral (
        select * from conversation_members
        where realm_id = ${source.realmId} and conversation_id = s.conversation_id offset 0
      ) c
      where c.received && s.ordinals
      union
      select user_id from message_flags
        where realm_id = ${source.realmId} and message_id = any(${bigintArray(ids)})
    )
    select v.user_id, a.user_id is null as is_outside,
      b.user_id is null and not ${target.isWebPublic} and (${target.isPrivate} or u.role >= ${roles.guest}) as is_losing
    from viewers v
    join users u on u.realm_id = ${source.realmId} and u.id = v.user_id and u.is_active
    left join conversation_members a
      on a.realm_id = ${source.realmId} and a.conversation_id = ${source.conversationId} and a.user_id = v.user_id
        and a.is_subscribed
    left join conversation_members b
      on b.realm_id = ${source.realmId} and b.conversation_id = ${target.conversationId} and b.user_id = v.user_id
        and b.is_subscribed
    where a.user_id is not null or ${source.isWebPublic} or (${source.sharesHistory} and u.role < ${roles.guest})
    order by 1`);
  const rows = source.isPrivate ? await filterViewers(tx, source, viewers) : viewers;
  const idsOf = (members: { user_id: number }[]) => members.map(({ user_id }) => user_id);
  const candidates = rows.filter(({ is_losing }) => is_losing);
  const permitted = new Set(
    target.isPrivate && target.sharesHistory
      ? await model.access.listPermittedReaders(tx, target, idsOf(candidates))
      : [],
  );
  const losing = candidates.filter(({ user_id }) => !permitted.has(user_id));
  return {
    ids: idsOf(losing),
    outside: idsOf(losing.filter(({ is_outside }) => is_outside)),
    staying: idsOf(rows.filter((row) => (!row.is_losing || permitted.has(row.user_id)) && !row.is_outside)),
    conversationId: source.conversationId,
  };
}

interface Viewer extends Record<string, unknown> {
  user_id: number;
  is_losing: boolean;
  is_outside: boolean;
}

/** Those who are in a private channel, or may read it by its permissions. */
async function filterViewers(tx: Tx, channel: ChannelRow, viewers: Viewer[]): Promise<Viewer[]> {
  const outside = viewers.filter(({ is_outside }) => is_outside).map(({ user_id }) => user_id);
  const permitted = new Set(await model.access.listPermittedReaders(tx, channel, outside));
  return viewers.filter(({ user_id, is_outside }) => !is_outside || permitted.has(user_id));
}

/**
 * Returns the audience of users who lose access, named in the shorter way. It may include users who never saw the
 * messages: their clients ignore the event.
 */
export function loserAudience({ ids, outside, staying, conversationId }: UsersLosingAccess): Audience {
  if (ids.length <= losersListedMax || ids.length <= staying.length) return { users: ids };
  return {
    conversations: [conversationId],
    ...(outside.length > 0 && { users: outside }),
    ...(staying.length > 0 && { except: staying }),
  };
}

/** Gives messages that are moved into a channel with protected history to its subscribers, as read. */
export async function grantAccess(tx: Tx, channel: ChannelRow, ids: number[]): Promise<void> {
  await tx.execute(sql`
    with ${model.access.messageOrdinalSpans(channel.realmId, ids)}
    insert into conversation_members as c (
      realm_id, conversation_id, user_id, is_subscribed, was_subscribed, received, read
    ) select m.realm_id, s.conversation_id, m.user_id, false, false, s.ordinals, s.ordinals
      from spans s cross join conversation_members m
      where m.realm_id = ${channel.realmId} and m.conversation_id = ${channel.conversationId} and m.is_subscribed
      order by 2, 3
    on conflict (realm_id, conversation_id, user_id) do update
      set received = c.received + excluded.received, read = c.read + (excluded.received - c.received)
      where not c.received @> excluded.received`);
}

/**
 * Returns the audience of the move: users who may see the messages where they are now, among them the subscribers of
 * the channel that they left. Guests who did not see the messages before are left out, because their clients do not
 * know them. It runs after the move.
 */
export async function moveAudience(tx: Tx, { from, to, ids }: Move): Promise<Audience> {
  const [source, target] = [from.channel, to.channel];
  const audience = await model.access.messageAudience(tx, { channel: target, people: null }, ids);
  if (source.id === target.id || !target.sharesHistory) return audience;
  const newGuests = await tx.execute<{ user_id: number }>(sql`
    with ${model.access.messageOrdinalSpans(source.realmId, ids)}
    select b.user_id from conversation_members b
    join users u on u.realm_id = ${source.realmId} and u.id = b.user_id and u.role >= ${roles.guest}
    where b.realm_id = ${source.realmId} and b.conversation_id = ${target.conversationId} and b.is_subscribed
      and not exists (
        select from conversation_members a
        where a.realm_id = ${source.realmId} and a.conversation_id = ${source.conversationId} and a.user_id = b.user_id
          and a.is_subscribed
      )
      and not exists (
        select from spans s cross join lateral (
          select received from conversation_members
          where realm_id = ${source.realmId} and conversation_id = s.conversation_id and user_id = b.user_id offset 0
        ) c
        where c.received && s.ordinals
      )
    order by 1`);
  const guestsLeftBehind =
    target.isPrivate || target.isWebPublic ? [] : await listGuestsOnlyIn(tx, source, target);
  const except = [
    ...(audience.except ?? []),
    ...newGuests.map(({ user_id }) => user_id),
    ...guestsLeftBehind,
  ];
  return {
    ...audience,
    // All subscribers of the channel that the messages left may see a public one.
    ...(!target.isPrivate && {
      conversations: [...new Set([...(audience.conversations ?? []), source.conversationId])],
    }),
    ...(except.length > 0 && { except: [...new Set(except)] }),
  };
}

async function listGuestsOnlyIn(tx: Tx, source: ChannelRow, target: ChannelRow): Promise<number[]> {
  const rows = await tx.execute<{ user_id: number }>(sql`
    select a.user_id from conversation_members a
    join users u on u.realm_id = a.realm_id and u.id = a.user_id and u.role >= ${roles.guest}
    where a.realm_id = ${source.realmId} and a.conversation_id = ${source.conversationId} and a.is_subscribed and not exists (
      select from conversation_members b
      where b.realm_id = a.realm_id and b.conversation_id = ${target.conversationId} and b.user_id = a.user_id and b.is_subscribed
    )
    order by 1`);
  return rows.map(({ user_id }) => user_id);
}
