import { type Tx, tables, type UserRow } from '@parley/db';
import {
  assertAdministrator,
  type AudienceRealm,
  type Actor,
  defaultChannelsEvent,
  getVisibleChannel,
  listDefaultChannels,
  isGuest,
  getRules,
} from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockName, lockConversations } from '../../lock.ts';
import { join } from '../subscriptions/join.ts';

const { channels } = tables;

/** Locks the list of default channels: events hold the whole list, so changes of it take turns. */
export const lockDefaults = (tx: Tx, realm: AudienceRealm) =>
  lockName(tx, 'list', realm.id, 'default channels');

/**
 * Makes a channel one of those that new users are subscribed to.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a channel that the actor may not see, or that is archived or private
 */
export async function addDefault(tx: Tx, actor: Actor, channelId: number): Promise<ActionResult> {
  assertAdministrator(actor);
  return await setDefault(tx, actor, channelId, true);
}

/**
 * Makes a channel none of those that new users are subscribed to.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a channel that the actor may not see
 */
export async function removeDefault(tx: Tx, actor: Actor, channelId: number): Promise<ActionResult> {
  assertAdministrator(actor);
  return await setDefault(tx, actor, channelId, false);
}

async function setDefault(tx: Tx, actor: Actor, channelId: number, isDefault: boolean) {
  await lockDefaults(tx, actor.realm);
  const visible = await getVisibleChannel(tx, actor, channelId);
  await lockConversations(tx, [visible.channel.conversationId]);
  const { channel } = await getVisibleChannel(tx, actor, channelId);
  if (isDefault && channel.isArchived) throw new ApiError('BAD_REQUEST', 'Invalid channel ID');
  if (isDefault && channel.isPrivate) {
    throw new ApiError('BAD_REQUEST', 'Private channels cannot be made default.');
  }
  if (channel.isDefault === isDefault) return { events: [], keepsRules: true };
  await tx.update(channels).set({ isDefault }).where(eq(channels.id, channel.id));
  return { events: [await defaultChannelsEvent(tx, actor.realm)], keepsRules: true };
}

/** Subscribes a new account to the default channels. Guests are not subscribed to them. */
export async function subscribeToDefaults(
  tx: Tx,
  realm: AudienceRealm,
  user: UserRow,
): Promise<ActionResult> {
  if (isGuest(user)) return { events: [], keepsRules: true };
  const rules = await getRules(tx, realm.id);
  const defaults = await listDefaultChannels(tx, realm.id);
  await lockConversations(
    tx,
    defaults.map(({ conversationId }) => conversationId),
  );
  const locked = new Set(defaults.map(({ id }) => id));
  const current = (await listDefaultChannels(tx, realm.id)).filter(({ id }) => locked.has(id));
  const requests = current.map((channel) => ({
    channel,
    users: [user],
    color: null,
    isNew: false,
  }));
  const { joins: _, ...result } = await join(tx, realm, rules, requests);
  return result;
}
