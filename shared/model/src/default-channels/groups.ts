import { type Tx, tables } from '@parley/db';
import { type DefaultChannelGroup, type PendingEvent, to, events } from '@parley/protocol';
import { eq, asc } from 'drizzle-orm';

import { type Actor, type AudienceRealm, isGuest } from '../actor.ts';

const { defaultChannelGroups } = tables;

/** Returns `realm_default_stream_groups` of POST /register: empty for guests, who do not get default channels. */
export async function defaultChannelGroupsState(tx: Tx, actor: Actor): Promise<DefaultChannelGroup[]> {
  return isGuest(actor) ? [] : await listDefaultChannelGroups(tx, actor.realm.id);
}

async function listDefaultChannelGroups(tx: Tx, realmId: number): Promise<DefaultChannelGroup[]> {
  const rows = await tx
    .select()
    .from(defaultChannelGroups)
    .where(eq(defaultChannelGroups.realmId, realmId))
    .orderBy(asc(defaultChannelGroups.name));
  return rows.map(({ id, name, description, channelIds }) => ({
    id,
    name,
    description,
    streams: channelIds,
  }));
}

/** Returns an event with all groups, for everyone except guests. The caller must have locked the default channels. */
export async function defaultChannelGroupsEvent(tx: Tx, realm: AudienceRealm): Promise<PendingEvent> {
  const groups = await listDefaultChannelGroups(tx, realm.id);
  return to.members(
    [realm.membersConversationId],
    events.defaultStreamGroups({ default_stream_groups: groups }),
  );
}
