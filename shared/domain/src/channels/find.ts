import { type Tx, decodeMembers, filterMembers, tables } from '@parley/db';
import { ApiError, limits } from '@parley/protocol';
import { and, eq, inArray, sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { isId } from '../ids.ts';
import { lockConversations } from '../lock.ts';
import { type Rules, getRules } from '../realms/rules.ts';
import { getUser, listAttentiveIds } from '../users/find.ts';
import { type Access, mayRead, maySeeChannel } from './may.ts';
import type { ChannelFacts, ChannelRow } from './present.ts';

const { audiences, channels, conversationHeads, conversationMembers } = tables;

/** A channel with what the actor is to it. */
export interface ChannelAccess extends Access {
  channel: ChannelRow;
}

const accessColumns = { channel: channels, isSubscribed: conversationMembers.isSubscribed };

const selectAccess = (tx: Tx, userId: number) =>
  tx
    .select(accessColumns)
    .from(channels)
    .leftJoin(
      conversationMembers,
      and(
        eq(conversationMembers.conversationId, channels.conversationId),
        eq(conversationMembers.userId, userId),
      ),
    )
    .$dynamic();

const asAccess = ({ channel, isSubscribed }: { channel: ChannelRow; isSubscribed: boolean | null }) => ({
  channel,
  isSubscribed: isSubscribed ?? false,
});

const inRealm = (actor: Actor) => eq(channels.realmId, actor.realm.id);

/** Finds a channel by id or by name (without regard to case), whether or not the actor may see it. */
export async function findChannel(
  tx: Tx,
  actor: Actor,
  which: number | string,
): Promise<ChannelAccess | undefined> {
  if (typeof which === 'number' && !isId(which)) return undefined;
  const named =
    typeof which === 'number'
      ? eq(channels.id, which)
      : eq(sql`lower(${channels.name})`, sql`lower(${which})`);
  const [row] = await selectAccess(tx, actor.id).where(and(inRealm(actor), named));
  return row && asAccess(row);
}

/** The channels with these names (without regard to case), whether or not the actor may see them. */
export async function listNamedChannels(
  tx: Tx,
  actor: Actor,
  names: readonly string[],
): Promise<ChannelAccess[]> {
  if (names.length === 0) return [];
  const wanted = [...new Set(names.map((name) => name.toLowerCase()))];
  const rows = await selectAccess(tx, actor.id).where(
    and(inRealm(actor), inArray(sql`lower(${channels.name})`, wanted)),
  );
  return rows.map(asAccess);
}

const missing = (which: number | string) =>
  new ApiError(
    'BAD_REQUEST',
    typeof which === 'number' ? 'Invalid channel ID' : `Invalid channel name '${which}'`,
  );

/** The channel, if the actor may read all that was ever said in it. Missing and forbidden look the same. */
export async function getReadableChannel(
  tx: Tx,
  actor: Actor,
  which: number | string,
  rules?: Rules,
): Promise<ChannelAccess> {
  const found = await findChannel(tx, actor, which);
  if (found && mayRead(actor, found, rules ?? (await getRules(tx, actor.realm.id)))) return found;
  throw missing(which);
}

/** The channel, if the actor may know that it exists. Missing and forbidden look the same. */
export async function getVisibleChannel(
  tx: Tx,
  actor: Actor,
  which: number | string,
  rules?: Rules,
): Promise<ChannelAccess> {
  const found = await findChannel(tx, actor, which);
  if (found && maySeeChannel(actor, found, rules ?? (await getRules(tx, actor.realm.id)))) return found;
  throw missing(which);
}

/** A channel as the actor finds it, by its name. */
export type FindHeld = (name: string) => Promise<ChannelAccess | undefined>;

/**
 * Holds the channels of these names as they are, and who is in them. What was read of them before may be over: they
 * are to be found anew, and whatever has taken one's name meanwhile is not.
 */
export async function lockChannels(tx: Tx, actor: Actor, names: string[]): Promise<FindHeld> {
  const held = new Set<number>();
  for (const name of names) {
    const found = await findChannel(tx, actor, name);
    if (found) held.add(found.channel.conversationId);
  }
  await lockConversations(tx, [...held]);
  return async (name) => {
    const found = await findChannel(tx, actor, name);
    return found && held.has(found.channel.conversationId) ? found : undefined;
  };
}

/** Every channel that the actor may see, archived ones included, by name. */
export async function listVisibleChannels(tx: Tx, actor: Actor, given?: Rules): Promise<ChannelAccess[]> {
  const rules = given ?? (await getRules(tx, actor.realm.id));
  const rows = await selectAccess(tx, actor.id)
    .where(inRealm(actor))
    .orderBy(sql`lower(${channels.name})`);
  return rows.map(asAccess).filter((access) => maySeeChannel(actor, access, rules));
}

/** What the log knows of channels, by conversation id. */
export async function listHeads(tx: Tx, conversationIds: number[]): Promise<Map<number, ChannelFacts>> {
  if (conversationIds.length === 0) return new Map();
  const rows = await tx
    .select({
      id: conversationHeads.conversationId,
      firstMessageId: conversationHeads.firstMessageId,
      subscriberCount: audiences.size,
    })
    .from(conversationHeads)
    .innerJoin(audiences, eq(audiences.id, conversationHeads.audienceId))
    .where(inArray(conversationHeads.conversationId, conversationIds));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Active subscribers of channels, ascending, by conversation id. */
export async function listSubscribers(tx: Tx, conversationIds: number[]): Promise<Map<number, number[]>> {
  const rows = await listAudiences(tx, conversationIds);
  return new Map(rows.map(({ id, members }) => [id, [...decodeMembers(members)]]));
}

/** Subscribers as far as one wants to know of them: of large channels only bots and who was here lately. */
export async function listSubscribersInPart(tx: Tx, realmId: number, conversationIds: number[]) {
  const rows = await listAudiences(tx, conversationIds);
  using attentive = filterMembers(await listAttentiveIds(tx, realmId));
  return new Map(
    rows.map(({ id, size, members }) => [
      id,
      size < limits.subscribersListedWhole
        ? { subscribers: [...decodeMembers(members)] }
        : { partial_subscribers: attentive(members) },
    ]),
  );
}

async function listAudiences(tx: Tx, conversationIds: number[]) {
  if (conversationIds.length === 0) return [];
  return await tx
    .select({ id: conversationHeads.conversationId, size: audiences.size, members: audiences.members })
    .from(conversationHeads)
    .innerJoin(audiences, eq(audiences.id, conversationHeads.audienceId))
    .where(inArray(conversationHeads.conversationId, conversationIds));
}

/** Ids of the channels that a user is subscribed to. */
export async function listSubscribedIds(tx: Tx, realmId: number, userId: number): Promise<Set<number>> {
  const rows = await selectAccess(tx, userId).where(
    and(eq(channels.realmId, realmId), conversationMembers.isSubscribed),
  );
  return new Set(rows.map(({ channel }) => channel.id));
}

/** Whether somebody is subscribed to a channel that the actor may know of. */
export async function isSubscribed(
  tx: Tx,
  actor: Actor,
  { userId, channelId }: { userId: number; channelId: number },
): Promise<boolean> {
  await checkUser(tx, actor, userId);
  const { channel } = await getVisibleChannel(tx, actor, channelId);
  return (await listSubscribedIds(tx, actor.realm.id, userId)).has(channel.id);
}

/** Which of the channels that the actor may know of somebody is subscribed to, ascending. */
export async function listChannelIdsOf(tx: Tx, actor: Actor, userId: number): Promise<number[]> {
  await checkUser(tx, actor, userId);
  const theirs = await listSubscribedIds(tx, actor.realm.id, userId);
  const visible = (await listVisibleChannels(tx, actor)).map(({ channel }) => channel.id);
  return visible.filter((id) => theirs.has(id)).sort((a, b) => a - b);
}

async function checkUser(tx: Tx, actor: Actor, userId: number): Promise<void> {
  const user = await getUser(tx, actor, userId);
  if (user.isSystem) throw new ApiError('BAD_REQUEST', 'No such user');
}
