import { type ChannelRow, tables, type Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { type SQL, and, eq, or, sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { isAmong, isId } from '../ids.ts';
import { isNamed } from '../is-named.ts';
import { type Rules, getRules } from '../permissions/rules.ts';
import { type ChannelAccess, mayReadChannel, maySeeChannel } from './channel-permissions.ts';

const { channels, conversationMembers } = tables;

const accessColumns = { channel: channels, isSubscribed: conversationMembers.isSubscribed };

/** Selects channels together with whether a user is subscribed to them. */
export const selectChannelAccess = (tx: Tx, userId: number) =>
  tx
    .select(accessColumns)
    .from(channels)
    .leftJoin(
      conversationMembers,
      and(
        eq(conversationMembers.realmId, channels.realmId),
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

/** Returns a condition: a channel has an id, or a name (case-insensitive). */
export function isChannel(which: number | string): SQL {
  if (typeof which === 'string') return isNamed(channels.name, [which]);
  return isId(which) ? eq(channels.id, which) : sql`false`;
}

/** Returns the channel with an id or a name (case-insensitive), whether or not the actor may see it. */
export async function findChannel(
  tx: Tx,
  actor: Actor,
  which: number | string,
): Promise<ChannelAccess | undefined> {
  const [row] = await selectChannelAccess(tx, actor.id).where(and(inRealm(actor), isChannel(which)));
  return row && toChannelAccess(row);
}

/** Returns the channels with these names (case-insensitive), whether or not the actor may see them. */
export async function listNamedChannels(
  tx: Tx,
  actor: Actor,
  names: readonly string[],
): Promise<ChannelAccess[]> {
  if (names.length === 0) return [];
  const rows = await selectChannelAccess(tx, actor.id).where(
    and(inRealm(actor), isNamed(channels.name, names)),
  );
  return rows.map(toChannelAccess);
}

/** Finds one of the channels that were looked up. A name may be in any case. */
export type FindListedChannel = (which: number | string) => ChannelAccess | undefined;

/** Looks up channels by their ids and names (case-insensitive), whether or not the actor may see them. */
export async function listChannels(
  tx: Tx,
  actor: Actor,
  which: readonly (number | string)[],
): Promise<FindListedChannel> {
  if (which.length === 0) return () => undefined;
  const ids = which.filter((one) => typeof one === 'number').filter(isId);
  const names = which.filter((one) => typeof one === 'string');
  const rows = await selectChannelAccess(tx, actor.id).where(
    and(inRealm(actor), or(isAmong(channels.id, ids), isNamed(channels.name, names))),
  );
  const found = rows.map(toChannelAccess);
  const byId = new Map(found.map((access) => [access.channel.id, access]));
  const byName = new Map(found.map((access) => [access.channel.name.toLowerCase(), access]));
  return (one) => (typeof one === 'number' ? byId.get(one) : byName.get(one.toLowerCase()));
}

const noSuchChannel = (which: number | string) =>
  new ApiError(
    'BAD_REQUEST',
    typeof which === 'number' ? 'This channel does not exist.' : `There is no channel called '${which}'.`,
  );

/**
 * Returns a channel that the actor has content access to.
 *
 * @throws BAD_REQUEST if there is none, or the actor may not read it: the two look the same
 */
export async function getReadableChannel(
  tx: Tx,
  actor: Actor,
  which: number | string,
  rules?: Rules,
): Promise<ChannelAccess> {
  const access = await findChannel(tx, actor, which);
  if (access && mayReadChannel(actor, access, rules ?? (await getRules(tx, actor.realm.id)))) return access;
  throw noSuchChannel(which);
}

/**
 * Returns a channel that the actor has metadata access to.
 *
 * @throws BAD_REQUEST if there is none, or the actor may not know of it: the two look the same
 */
export async function getVisibleChannel(
  tx: Tx,
  actor: Actor,
  which: number | string,
  rules?: Rules,
): Promise<ChannelAccess> {
  const access = await findChannel(tx, actor, which);
  if (access && maySeeChannel(actor, access, rules ?? (await getRules(tx, actor.realm.id)))) return access;
  throw noSuchChannel(which);
}

/** Returns all channels that the actor has metadata access to, archived ones included, by name. */
export async function listVisibleChannels(
  tx: Tx,
  actor: Actor,
  knownRules?: Rules,
): Promise<ChannelAccess[]> {
  const rules = knownRules ?? (await getRules(tx, actor.realm.id));
  const rows = await selectChannelAccess(tx, actor.id)
    .where(inRealm(actor))
    .orderBy(sql`lower(${channels.name})`);
  return rows.map(toChannelAccess).filter((access) => maySeeChannel(actor, access, rules));
}
