import { type Tx, tables } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { and, eq, inArray, sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { isId } from '../ids.ts';
import { type Rules, getRules } from '../realms/rules.ts';
import { type Access, mayRead, maySeeChannel } from './may.ts';
import type { ChannelRow } from './present.ts';

const { channels, conversationHeads, conversationMembers } = tables;

/** A channel with what the actor is to it. */
export interface ChannelAccess extends Access {
  channel: ChannelRow;
}

const accessColumns = { channel: channels, isSubscribed: conversationMembers.isSubscribed };

const selectAccess = (tx: Tx, actor: Actor) =>
  tx
    .select(accessColumns)
    .from(channels)
    .leftJoin(
      conversationMembers,
      and(
        eq(conversationMembers.conversationId, channels.conversationId),
        eq(conversationMembers.userId, actor.id),
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
      : eq(sql`lower(${channels.name})`, which.toLowerCase());
  const [row] = await selectAccess(tx, actor).where(and(inRealm(actor), named));
  return row && asAccess(row);
}

/** The channel, if the actor may read all that was ever said in it. Missing and forbidden look the same. */
export async function getReadableChannel(
  tx: Tx,
  actor: Actor,
  which: number | string,
  rules?: Rules,
): Promise<ChannelAccess> {
  const found = await findChannel(tx, actor, which);
  if (found && mayRead(actor, found, rules ?? (await getRules(tx, actor.realm.id)))) return found;
  const msg = typeof which === 'number' ? 'Invalid channel ID' : `Invalid channel name '${which}'`;
  throw new ApiError('BAD_REQUEST', msg);
}

/** Every channel that the actor may see, archived ones included, by name. */
export async function listVisibleChannels(tx: Tx, actor: Actor): Promise<ChannelAccess[]> {
  const rules = await getRules(tx, actor.realm.id);
  const rows = await selectAccess(tx, actor)
    .where(inRealm(actor))
    .orderBy(sql`lower(${channels.name})`);
  return rows.map(asAccess).filter((access) => maySeeChannel(actor, access, rules));
}

/** Head facts of channels' conversations, by conversation id. */
export async function listHeads(tx: Tx, conversationIds: number[]) {
  if (conversationIds.length === 0)
    return new Map<number, { firstMessageId: number | null; subscriberCount: number }>();
  const rows = await tx
    .select({
      id: conversationHeads.conversationId,
      firstMessageId: conversationHeads.firstMessageId,
      subscriberCount: sql<number>`(select size from audiences where id = conversation_heads.audience_id)`,
    })
    .from(conversationHeads)
    .where(inArray(conversationHeads.conversationId, conversationIds));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Active subscribers of channels, ascending, by conversation id. */
export async function listSubscribers(tx: Tx, conversationIds: number[]): Promise<Map<number, number[]>> {
  if (conversationIds.length === 0) return new Map();
  const rows = await tx
    .select({
      id: conversationMembers.conversationId,
      userIds: sql<number[]>`array_agg(${conversationMembers.userId} order by ${conversationMembers.userId})`,
    })
    .from(conversationMembers)
    .innerJoin(tables.users, eq(tables.users.id, conversationMembers.userId))
    .where(
      and(
        inArray(conversationMembers.conversationId, conversationIds),
        conversationMembers.isSubscribed,
        tables.users.isActive,
      ),
    )
    .groupBy(conversationMembers.conversationId);
  return new Map(rows.map(({ id, userIds }) => [id, userIds]));
}
