import { type Tx, tables, type UserRow } from '@parley/db';
import { type AudienceRealm, type Actor, isGuest, isAmong, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';
import { and, asc, eq, or } from 'drizzle-orm';

import { lockConversations } from '../../lock.ts';
import { lockDefaults } from '../lock.ts';
import { join } from '../subscriptions/join.ts';

const { channels } = tables;

/**
 * Makes a channel one of those that new users are subscribed to.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a channel that the actor may not see, or that is archived or private
 */
export async function addDefault(
  tx: Tx,
  { actor, channelId }: { actor: Actor; channelId: number },
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  return await setDefault(tx, actor, channelId, true);
}
addDefault.actionName = 'channels.addDefault' as const;

/**
 * Makes a channel none of those that new users are subscribed to.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a channel that the actor may not see
 */
export async function removeDefault(
  tx: Tx,
  { actor, channelId }: { actor: Actor; channelId: number },
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  return await setDefault(tx, actor, channelId, false);
}
removeDefault.actionName = 'channels.removeDefault' as const;

async function setDefault(tx: Tx, actor: Actor, channelId: number, isDefault: boolean) {
  await lockDefaults(tx, actor.realm);
  const visible = await model.access.getVisibleChannel(tx, actor, channelId);
  await lockConversations(tx, actor.realm, [visible.channel.conversationId]);
  const { channel } = await model.access.getVisibleChannel(tx, actor, channelId);
  if (isDefault && channel.isArchived) throw new ApiError('BAD_REQUEST', 'This channel does not exist.');
  if (isDefault && channel.isPrivate) {
    throw new ApiError('BAD_REQUEST', 'A private channel cannot be a default channel.');
  }
  if (channel.isDefault === isDefault) return { events: [] };
  await tx
    .update(channels)
    .set({ isDefault })
    .where(hasId(channels, actor.realm, channel.id));
  return { events: [await model.defaultChannels.defaultChannelsEvent(tx, actor.realm)] };
}

/** The channels that a new account is subscribed to. */
export interface FirstChannels {
  withDefaults: boolean;
  /** Channels beside the default ones. Those that are archived by now are left out. */
  ids: readonly number[];
}

/** Subscribes a new account to its first channels. Guests are subscribed to the default channels only if that is said. */
export async function subscribeNewUser(
  tx: Tx,
  realm: AudienceRealm,
  user: UserRow,
  { withDefaults, ids }: FirstChannels = { withDefaults: !isGuest(user), ids: [] },
): Promise<ActionResult> {
  const rules = await model.permissions.getRules(tx, realm.id);
  const list = async () => {
    const isFirst = or(isAmong(channels.id, ids), withDefaults ? channels.isDefault : undefined);
    return await tx
      .select()
      .from(channels)
      .where(and(eq(channels.realmId, realm.id), eq(channels.isArchived, false), isFirst))
      .orderBy(asc(channels.id));
  };
  const first = await list();
  await lockConversations(
    tx,
    realm,
    first.map(({ conversationId }) => conversationId),
  );
  const locked = new Set(first.map(({ id }) => id));
  const current = (await list()).filter(({ id }) => locked.has(id));
  const requests = current.map((channel) => ({ channel, users: [user], color: null, isNew: false }));
  const { joins: _, ...result } = await join(tx, realm, rules, requests);
  return result;
}
