import { tables, type Tx, decodeMembers, createMemberFilter } from '@parley/db';
import { limits, ApiError } from '@parley/protocol';
import { eq, and } from 'drizzle-orm';

import { selectChannelAccess, getVisibleChannel, listVisibleChannels } from '../access/channels.ts';
import type { Actor } from '../actor.ts';
import { isAmong } from '../ids.ts';
import { listRecentlyActiveIds, getUser } from '../users/find.ts';
import type { ChannelHead } from './present.ts';

const { audiences, channels, conversationHeads, conversationMembers } = tables;

/** Returns the heads of channels by conversation id. */
export async function listChannelHeads(tx: Tx, conversationIds: number[]): Promise<Map<number, ChannelHead>> {
  if (conversationIds.length === 0) return new Map();
  const rows = await tx
    .select({
      id: conversationHeads.conversationId,
      firstMessageId: conversationHeads.firstMessageId,
      subscriberCount: audiences.size,
    })
    .from(conversationHeads)
    .innerJoin(audiences, eq(audiences.id, conversationHeads.audienceId))
    .where(isAmong(conversationHeads.conversationId, conversationIds));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the ids of channels' active subscribers, ascending, by conversation id. */
export async function listSubscribers(tx: Tx, conversationIds: number[]): Promise<Map<number, number[]>> {
  const rows = await listAudiences(tx, conversationIds);
  return new Map(rows.map(({ id, members }) => [id, [...decodeMembers(members)]]));
}

/** Returns subscribers by conversation id. Large channels list only bots and users who were recently active. */
export async function listPartialSubscribers(tx: Tx, realmId: number, conversationIds: number[]) {
  const rows = await listAudiences(tx, conversationIds);
  using filterRecentlyActive = createMemberFilter(await listRecentlyActiveIds(tx, realmId));
  return new Map(
    rows.map(({ id, size, members }) => [
      id,
      size < limits.subscribersListedWhole
        ? { subscribers: [...decodeMembers(members)] }
        : { partial_subscribers: filterRecentlyActive(members) },
    ]),
  );
}

async function listAudiences(tx: Tx, conversationIds: number[]) {
  if (conversationIds.length === 0) return [];
  return await tx
    .select({ id: conversationHeads.conversationId, size: audiences.size, members: audiences.members })
    .from(conversationHeads)
    .innerJoin(audiences, eq(audiences.id, conversationHeads.audienceId))
    .where(isAmong(conversationHeads.conversationId, conversationIds));
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
