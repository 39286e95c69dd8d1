import { type Tx, tables, type UserRow } from '@parley/db';
import { assertAdministrator } from '@parley/model';
import {
  type AudienceRealm,
  type Actor,
  defaultChannelsEvent,
  getVisibleChannel,
  listDefaultChannels,
  getRules,
} from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockName, lockConversations } from '../../lock.ts';
import { join } from '../subscriptions/join.ts';

const { channels } = tables;

/** Whoever changes the list says what it is then, so changes take turns. */
export const lockDefaults = (tx: Tx, realm: AudienceRealm) =>
  lockName(tx, 'list', realm.id, 'default channels');

/** Makes a channel one of those that new users are subscribed to. */
export async function addDefault(tx: Tx, actor: Actor, channelId: number): Promise<ActionResult> {
  assertAdministrator(actor);
  return await setDefault(tx, actor, channelId, true);
}

export async function removeDefault(tx: Tx, actor: Actor, channelId: number): Promise<ActionResult> {
  assertAdministrator(actor);
  return await setDefault(tx, actor, channelId, false);
}

async function setDefault(tx: Tx, actor: Actor, channelId: number, isDefault: boolean) {
  await lockDefaults(tx, actor.realm);
  const { channel: found } = await getVisibleChannel(tx, actor, channelId);
  await lockConversations(tx, [found.conversationId]);
  const { channel } = await getVisibleChannel(tx, actor, channelId);
  if (isDefault && channel.isArchived) throw new ApiError('BAD_REQUEST', 'Invalid channel ID');
  if (isDefault && channel.isPrivate) {
    throw new ApiError('BAD_REQUEST', 'Private channels cannot be made default.');
  }
  if (channel.isDefault === isDefault) return { events: [], keepsRules: true };
  await tx.update(channels).set({ isDefault }).where(eq(channels.id, channel.id));
  return { events: [await defaultChannelsEvent(tx, actor.realm)], keepsRules: true };
}

/** Part of making an account: whoever is new starts out in the default channels. Guests are in what they are let into. */
export async function subscribeToDefaults(
  tx: Tx,
  realm: AudienceRealm,
  user: UserRow,
): Promise<ActionResult> {
  if (user.role === 600) return { events: [], keepsRules: true };
  const rules = await getRules(tx, realm.id);
  const found = await listDefaultChannels(tx, realm.id);
  await lockConversations(
    tx,
    found.map(({ conversationId }) => conversationId),
  );
  const held = new Set(found.map(({ id }) => id));
  const channelsNow = (await listDefaultChannels(tx, realm.id)).filter(({ id }) => held.has(id));
  const joinings = channelsNow.map((channel) => ({
    channel,
    users: [user],
    color: null,
    isNew: false,
  }));
  const { joins: _, ...result } = await join(tx, realm, rules, joinings);
  return result;
}
