import { type ChannelRow, tables, type Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { and, eq, sql, inArray } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { isId } from '../ids.ts';
import { type Rules, getRules } from '../permissions/rules.ts';
import { type ChannelAccess, mayReadChannel, maySeeChannel } from './channel-permissions.ts';

const { channels, conversationMembers } = tables;

const accessColumns = { channel: channels, isSubscribed: conversationMembers.isSubscribed };

export const selectChannelAccess = (tx: Tx, userId: number) =>
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

const toChannelAccess = ({
  channel,
  isSubscribed,
}: {
  channel: ChannelRow;
  isSubscribed: boolean | null;
}) => ({
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
  const [row] = await selectChannelAccess(tx, actor.id).where(and(inRealm(actor), named));
  return row && toChannelAccess(row);
}

/** The channels with these names (without regard to case), whether or not the actor may see them. */
export async function listNamedChannels(
  tx: Tx,
  actor: Actor,
  names: readonly string[],
): Promise<ChannelAccess[]> {
  if (names.length === 0) return [];
  const wanted = [...new Set(names.map((name) => name.toLowerCase()))];
  const rows = await selectChannelAccess(tx, actor.id).where(
    and(inRealm(actor), inArray(sql`lower(${channels.name})`, wanted)),
  );
  return rows.map(toChannelAccess);
}

const noSuchChannel = (which: number | string) =>
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
  if (found && mayReadChannel(actor, found, rules ?? (await getRules(tx, actor.realm.id)))) return found;
  throw noSuchChannel(which);
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
  throw noSuchChannel(which);
}

/** Every channel that the actor may see, archived ones included, by name. */
export async function listVisibleChannels(tx: Tx, actor: Actor, given?: Rules): Promise<ChannelAccess[]> {
  const rules = given ?? (await getRules(tx, actor.realm.id));
  const rows = await selectChannelAccess(tx, actor.id)
    .where(inRealm(actor))
    .orderBy(sql`lower(${channels.name})`);
  return rows.map(toChannelAccess).filter((access) => maySeeChannel(actor, access, rules));
}
