import { type Tx, tables } from '@parley/db';
import { type ChannelGroupSetting, type GroupSetting, channelGroupSettings } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { getSystemGroupIds } from '../user-groups/find.ts';
import type { ChannelRow } from './present.ts';

export interface NewChannel {
  name: string;
  description: string;
  isPrivate: boolean;
  sharesHistory: boolean;
}

/** Inserts a channel and its conversation, with nobody in it. Part of the actions that make channels appear. */
export async function insertChannel(tx: Tx, actor: Actor, channel: NewChannel): Promise<ChannelRow> {
  const realmId = actor.realm.id;
  const [conversation] = await tx.insert(tables.conversations).values({ realmId }).returning();
  if (!conversation) throw new Error('An insert returned no row.');
  await tx.execute(sql`select found_conversation(${realmId}, ${conversation.id})`);

  const idOf = await getSystemGroupIds(tx, realmId);
  const creator = { direct_members: [actor.id], direct_subgroups: [] };
  const groupSettings = Object.fromEntries(
    Object.entries(channelGroupSettings).map(([name, { default: group }]) => [
      name,
      group === 'creator' ? creator : idOf(group),
    ]),
  ) as Record<ChannelGroupSetting, GroupSetting>;

  const [row] = await tx
    .insert(tables.channels)
    .values({ ...channel, realmId, conversationId: conversation.id, creatorId: actor.id, groupSettings })
    .returning();
  if (!row) throw new Error('An insert returned no row.');
  return row;
}
