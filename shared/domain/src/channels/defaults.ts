import { type Tx, tables } from '@parley/db';
import { ApiError, type ActionResult, type Draft, events, to } from '@parley/protocol';
import { and, asc, eq } from 'drizzle-orm';

import { type Actor, isGuest } from '../actor.ts';
import { lockConversations, lockName } from '../lock.ts';
import { getRules } from '../realms/rules.ts';
import type { UserRow } from '../users/find.ts';
import { getVisibleChannel } from './find.ts';
import { join } from './join.ts';
import type { ChannelRow } from './present.ts';
import type { Home } from './watchers.ts';

const { channels } = tables;

/** The channels that new users are subscribed to, by id. */
export async function listDefaultChannels(tx: Tx, realmId: number): Promise<ChannelRow[]> {
  return await tx
    .select()
    .from(channels)
    .where(and(eq(channels.realmId, realmId), channels.isDefault, eq(channels.isArchived, false)))
    .orderBy(asc(channels.id));
}

/** `realm_default_streams` of POST /register: guests are in what they are let into. */
export async function defaultsState(tx: Tx, actor: Actor): Promise<number[]> {
  return isGuest(actor) ? [] : (await listDefaultChannels(tx, actor.realm.id)).map(({ id }) => id);
}

/** Whoever changes the list says what it is then, so changes take turns. */
export const lockDefaults = (tx: Tx, realm: Home) => lockName(tx, 'list', realm.id, 'default channels');

/** All default channels, for everyone but guests. */
export async function defaultsDraft(tx: Tx, realm: Home): Promise<Draft> {
  const list = (await listDefaultChannels(tx, realm.id)).map(({ id }) => id);
  return to.members([realm.membersConversationId], events.defaultStreams({ default_streams: list }));
}

/** Makes a channel one of those that new users are subscribed to. */
export async function addDefault(tx: Tx, actor: Actor, channelId: number): Promise<ActionResult> {
  return await setDefault(tx, actor, channelId, true);
}

export async function removeDefault(tx: Tx, actor: Actor, channelId: number): Promise<ActionResult> {
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
  return { events: [await defaultsDraft(tx, actor.realm)], keepsRules: true };
}

/** Part of making an account: whoever is new starts out in the default channels. Guests are in what they are let into. */
export async function subscribeToDefaults(tx: Tx, realm: Home, user: UserRow): Promise<ActionResult> {
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
