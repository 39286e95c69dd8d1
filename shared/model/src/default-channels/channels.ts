import { tables, type Tx, type ChannelRow } from '@parley/db';
import { type PendingEvent, to, events } from '@parley/protocol';
import { and, eq, asc } from 'drizzle-orm';

import { type Actor, type AudienceRealm, isGuest } from '../actor.ts';

const { channels } = tables;

/** Returns the channels that new users are subscribed to, in order of their ids. */
export async function listDefaultChannels(tx: Tx, realmId: number): Promise<ChannelRow[]> {
  return await tx
    .select()
    .from(channels)
    .where(and(eq(channels.realmId, realmId), channels.isDefault, eq(channels.isArchived, false)))
    .orderBy(asc(channels.id));
}

/** Returns `realm_default_streams` of POST /register: empty for guests, who do not get default channels. */
export async function defaultChannelsState(tx: Tx, actor: Actor): Promise<number[]> {
  return isGuest(actor) ? [] : (await listDefaultChannels(tx, actor.realm.id)).map(({ id }) => id);
}

/** Returns an event with all default channels, for everyone except guests. */
export async function defaultChannelsEvent(tx: Tx, realm: AudienceRealm): Promise<PendingEvent> {
  const ids = (await listDefaultChannels(tx, realm.id)).map(({ id }) => id);
  return to.members([realm.membersConversationId], events.defaultStreams({ default_streams: ids }));
}
