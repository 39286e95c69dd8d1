import { tables, type Tx, decodeMembers, createMemberFilter } from '@parley/db';
import { takeBreak } from '@parley/kit';
import { limits, ApiError } from '@parley/protocol';
import { type SQL, eq, and, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';

import { selectChannelAccess, getVisibleChannel, listVisibleChannels } from '../access/channels.ts';
import type { Actor } from '../actor.ts';
import { isAmong } from '../ids.ts';
import { listRecentlyActiveIds, getUser } from '../users/find.ts';
import type { ChannelHead } from './present.ts';

const { audiences, channels, conversationHeads, conversationMembers } = tables;
const bases = alias(audiences, 'bases');

/** Returns the heads of channels by conversation id. */
export async function listChannelHeads(
  tx: Tx,
  realmId: number,
  conversationIds: number[],
): Promise<Map<number, ChannelHead>> {
  if (conversationIds.length === 0) return new Map();
  return await readHeads(tx, realmId, isAmong(conversationHeads.conversationId, conversationIds));
}

/** Returns the same of all channels of a realm. */
export const listHeadsOfRealm = (tx: Tx, realmId: number): Promise<Map<number, ChannelHead>> =>
  readHeads(
    tx,
    realmId,
    inArray(
      conversationHeads.conversationId,
      tx.select({ id: channels.conversationId }).from(channels).where(eq(channels.realmId, realmId)),
    ),
  );

async function readHeads(tx: Tx, realmId: number, isMeant: SQL): Promise<Map<number, ChannelHead>> {
  const rows = await tx
    .select({
      id: conversationHeads.conversationId,
      firstMessageId: conversationHeads.firstMessageId,
      subscriberCount: audiences.size,
    })
    .from(conversationHeads)
    .innerJoin(audiences, and(eq(audiences.realmId, realmId), eq(audiences.id, conversationHeads.audienceId)))
    .where(and(eq(conversationHeads.realmId, realmId), isMeant));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the ids of channels' active subscribers, ascending, by conversation id. */
export async function listSubscribers(
  tx: Tx,
  realmId: number,
  conversationIds: number[],
): Promise<Map<number, number[]>> {
  const rows = await listAudiences(tx, realmId, conversationIds);
  const subscribers = new Map<number, number[]>();
  for (const { id, ...stored } of rows) {
    subscribers.set(id, [...decodeMembers(stored)]);
    await takeBreak();
  }
  return subscribers;
}

/** Returns whether all nodes list the subscribers of an event by the audience that it names: no old ones may run. */
export async function mayNameAudiences(tx: Tx): Promise<boolean> {
  const [row] = await tx.execute<{ may: boolean }>(sql`select to_regclass('message_ids') is null as may`);
  return row?.may ?? false;
}

/** Returns subscribers by conversation id. Large channels list only bots and users who were recently active. */
export async function listPartialSubscribers(tx: Tx, realmId: number, conversationIds: number[]) {
  const rows = await listAudiences(tx, realmId, conversationIds);
  using filterRecentlyActive = createMemberFilter(await listRecentlyActiveIds(tx, realmId));
  const subscribers = new Map<number, { subscribers: number[] } | { partial_subscribers: number[] }>();
  for (const { id, size, ...stored } of rows) {
    const isWhole = size < limits.subscribersListedWhole;
    subscribers.set(
      id,
      isWhole
        ? { subscribers: [...decodeMembers(stored)] }
        : { partial_subscribers: filterRecentlyActive(stored) },
    );
    await takeBreak();
  }
  return subscribers;
}

async function listAudiences(tx: Tx, realmId: number, conversationIds: number[]) {
  if (conversationIds.length === 0) return [];
  return await tx
    .select({
      id: conversationHeads.conversationId,
      size: audiences.size,
      members: sql<Uint8Array>`coalesce(${audiences.members}, ${bases.members})`,
      joined: audiences.joined,
      departed: audiences.departed,
    })
    .from(conversationHeads)
    .innerJoin(audiences, and(eq(audiences.realmId, realmId), eq(audiences.id, conversationHeads.audienceId)))
    .leftJoin(bases, and(eq(bases.realmId, realmId), eq(bases.id, audiences.baseId)))
    .where(
      and(eq(conversationHeads.realmId, realmId), isAmong(conversationHeads.conversationId, conversationIds)),
    );
}

/**
 * Returns the user ids of those among some users who are subscribed, by conversation id. The caller has locked the
 * conversations: nobody joins or leaves them meanwhile.
 */
export async function listSubscribedAmong(
  tx: Tx,
  realmId: number,
  conversationIds: number[],
  userIds: number[],
): Promise<(conversationId: number) => ReadonlySet<number>> {
  const subscribed = new Map(conversationIds.map((id) => [id, new Set<number>()]));
  if (conversationIds.length > 0 && userIds.length > 0) {
    const rows = await tx
      .select({ id: conversationMembers.conversationId, userId: conversationMembers.userId })
      .from(conversationMembers)
      .where(
        and(
          eq(conversationMembers.realmId, realmId),
          isAmong(conversationMembers.conversationId, conversationIds),
          isAmong(conversationMembers.userId, userIds),
          conversationMembers.isSubscribed,
        ),
      );
    for (const { id, userId } of rows) subscribed.get(id)?.add(userId);
  }
  return (conversationId) => subscribed.get(conversationId) ?? new Set();
}

/** Returns the ids of the channels that a user is subscribed to. */
export async function listSubscribedChannelIds(
  tx: Tx,
  realmId: number,
  userId: number,
): Promise<Set<number>> {
  const rows = await selectChannelAccess(tx, userId).where(
    and(eq(channels.realmId, realmId), conversationMembers.isSubscribed),
  );
  return new Set(rows.map(({ channel }) => channel.id));
}

/**
 * Returns whether a user is subscribed to a channel that the actor has metadata access to.
 *
 * @throws BAD_REQUEST for a user or channel that does not exist or that the actor may not access
 */
export async function isSubscribedTo(
  tx: Tx,
  actor: Actor,
  { userId, channelId }: { userId: number; channelId: number },
): Promise<boolean> {
  await assertNotSystemUser(tx, actor, userId);
  const { channel } = await getVisibleChannel(tx, actor, channelId);
  return (await listSubscribedChannelIds(tx, actor.realm.id, userId)).has(channel.id);
}

/**
 * Returns the ids of a user's channels that the actor has metadata access to, ascending.
 *
 * @throws BAD_REQUEST for a user who does not exist or whom the actor may not access
 */
export async function listVisibleSubscribedChannelIds(
  tx: Tx,
  actor: Actor,
  userId: number,
): Promise<number[]> {
  await assertNotSystemUser(tx, actor, userId);
  const subscribed = await listSubscribedChannelIds(tx, actor.realm.id, userId);
  const visible = (await listVisibleChannels(tx, actor)).map(({ channel }) => channel.id);
  return visible.filter((id) => subscribed.has(id)).sort((a, b) => a - b);
}

async function assertNotSystemUser(tx: Tx, actor: Actor, userId: number): Promise<void> {
  const user = await getUser(tx, actor, userId);
  if (user.isSystem) throw new ApiError('BAD_REQUEST', 'This user does not exist.');
}
