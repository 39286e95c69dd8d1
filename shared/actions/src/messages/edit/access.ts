import type { Tx, ChannelRow } from '@parley/db';
import { messageOrdinalSpans, intArray, listPermittedReaders, messageAudience } from '@parley/model';
import type { Audience } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import type { Move } from './move-plan.ts';

/** Above so many losers an entry names those who stay, if they are fewer. */
const losersListedMax = 1000;

/** Who saw messages where they were and does not see them where they go. */
export interface UsersLosingAccess {
  ids: number[];
  /** Those among them who are not in the channel that the messages leave. */
  outside: number[];
  /** Who is in that channel and keeps sight of them. */
  staying: number[];
  /** That channel. */
  conversationId: number;
}

/**
 * Run before the move: whoever could see one of the messages, by being in the channel or by having received it, and
 * will not be able to. Both conversations are held, so that nobody joins or leaves meanwhile.
 */
export async function listUsersLosingAccess(tx: Tx, { from, to, ids }: Move): Promise<UsersLosingAccess> {
  const [here, there] = [from.channel, to.channel];
  const rows = await tx.execute<{ user_id: number; is_losing: boolean; is_outside: boolean }>(sql`
    with ${messageOrdinalSpans(ids)}, known as (
      select user_id from conversation_members
        where conversation_id = ${here.conversationId} and is_subscribed and ${here.sharesHistory}
      union
      select c.user_id from spans s join conversation_members c
        on c.conversation_id = s.conversation_id and c.received && s.ordinals
      union
      select user_id from message_flags where message_id = any(${intArray(ids)})
    )
    select k.user_id, a.user_id is null as is_outside,
      b.user_id is null and not ${there.isWebPublic} and (${there.isPrivate} or u.role >= 600) as is_losing
    from known k
    join users u on u.id = k.user_id and u.is_active
    left join conversation_members a
      on a.conversation_id = ${here.conversationId} and a.user_id = k.user_id and a.is_subscribed
    left join conversation_members b
      on b.conversation_id = ${there.conversationId} and b.user_id = k.user_id and b.is_subscribed
    where a.user_id is not null or ${here.isWebPublic} or (not ${here.isPrivate} and u.role < 600)
    order by 1`);
  const idsOf = (those: { user_id: number }[]) => those.map(({ user_id }) => user_id);
  const away = rows.filter(({ is_losing }) => is_losing);
  const reading = new Set(
    there.isPrivate && there.sharesHistory ? await listPermittedReaders(tx, there, idsOf(away)) : [],
  );
  const losing = away.filter(({ user_id }) => !reading.has(user_id));
  return {
    ids: idsOf(losing),
    outside: idsOf(losing.filter(({ is_outside }) => is_outside)),
    staying: idsOf(rows.filter((row) => (!row.is_losing || reading.has(row.user_id)) && !row.is_outside)),
    conversationId: here.conversationId,
  };
}

/** The shorter way to name the losers. Of those who never saw the messages, it does not matter who hears. */
export function loserAudience({ ids, outside, staying, conversationId }: UsersLosingAccess): Audience {
  if (ids.length <= losersListedMax || ids.length <= staying.length) return { users: ids };
  return {
    conversations: [conversationId],
    ...(outside.length > 0 && { users: outside }),
    ...(staying.length > 0 && { except: staying }),
  };
}

/** Whoever is in a channel with protected history when messages come in has them from then on, and has read them. */
export async function grantAccess(tx: Tx, channel: ChannelRow, ids: number[]): Promise<void> {
  await tx.execute(sql`
    with ${messageOrdinalSpans(ids)}
    insert into conversation_members as c (conversation_id, user_id, is_subscribed, was_subscribed, received, read)
      select s.conversation_id, m.user_id, false, false, s.ordinals, s.ordinals
      from spans s cross join conversation_members m
      where m.conversation_id = ${channel.conversationId} and m.is_subscribed
      order by 1, 2
    on conflict (conversation_id, user_id) do update
      set received = c.received + excluded.received, read = c.read + (excluded.received - c.received)
      where not c.received @> excluded.received`);
}

/**
 * Run after the move: whoever may see the messages where they are now. Those who were in the channel that they left
 * follow them; guests who only now see them would not know what this is about.
 */
export async function moveAudience(tx: Tx, { from, to, ids }: Move): Promise<Audience> {
  const [here, there] = [from.channel, to.channel];
  const audience = await messageAudience(tx, { channel: there, people: null }, ids);
  if (here.id === there.id || !there.sharesHistory) return audience;
  const strangers = await tx.execute<{ user_id: number }>(sql`
    with ${messageOrdinalSpans(ids)}
    select b.user_id from conversation_members b
    join users u on u.id = b.user_id and u.role >= 600
    where b.conversation_id = ${there.conversationId} and b.is_subscribed
      and not exists (
        select from conversation_members a
        where a.conversation_id = ${here.conversationId} and a.user_id = b.user_id and a.is_subscribed
      )
      and not exists (
        select from spans s join conversation_members c
          on c.conversation_id = s.conversation_id and c.user_id = b.user_id and c.received && s.ordinals
      )
    order by 1`);
  const blind = there.isPrivate || there.isWebPublic ? [] : await listGuestsOnlyIn(tx, here, there);
  const except = [...(audience.except ?? []), ...strangers.map(({ user_id }) => user_id), ...blind];
  return {
    ...audience,
    // All who were there may see what is public now.
    ...(!there.isPrivate && {
      conversations: [...new Set([...(audience.conversations ?? []), here.conversationId])],
    }),
    ...(except.length > 0 && { except: [...new Set(except)] }),
  };
}

async function listGuestsOnlyIn(tx: Tx, here: ChannelRow, there: ChannelRow): Promise<number[]> {
  const rows = await tx.execute<{ user_id: number }>(sql`
    select a.user_id from conversation_members a
    join users u on u.id = a.user_id and u.role >= 600
    where a.conversation_id = ${here.conversationId} and a.is_subscribed and not exists (
      select from conversation_members b
      where b.conversation_id = ${there.conversationId} and b.user_id = a.user_id and b.is_subscribed
    )
    order by 1`);
  return rows.map(({ user_id }) => user_id);
}
