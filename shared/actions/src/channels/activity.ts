import { type Tx, tables } from '@parley/db';
import { hasId } from '@parley/model';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { lockConversations } from '../lock.ts';

/** Records whether a channel is recently active, if that has changed. */
export async function refreshActivity(
  tx: Tx,
  { realmId, channelId, now }: { realmId: number; channelId: number; now: Date },
): Promise<ActionResult> {
  const { channels } = tables;
  const [current] = await tx
    .select()
    .from(channels)
    .where(hasId(channels, { id: realmId }, channelId));
  if (!current) return { events: [] };
  await lockConversations(tx, { id: realmId }, [current.conversationId]);
  const [changed] = await tx.execute<model.channels.ChannelReference>(sql`
    update channels c set is_recently_active = not is_recently_active
    where c.realm_id = ${realmId} and c.id = ${channelId} and is_recently_active <> ${model.channels.recentlyActiveChannelCondition(now, [realmId])} returning c.id, c.realm_id`);
  const [channel] = await tx
    .select()
    .from(channels)
    .where(hasId(channels, { id: realmId }, channelId));
  if (!changed || !channel) return { events: [] };
  const { membersConversationId } = await model.realms.getRealm(tx, realmId);
  if (membersConversationId === null) throw new Error(`Realm ${realmId} is not founded.`);
  const rules = await model.permissions.getRules(tx, realmId);
  const audience = await model.access.channelAudience(
    tx,
    { id: realmId, membersConversationId },
    channel,
    rules,
  );
  return {
    events: [
      model.channels.channelUpdateEvent(audience, rules, channel, [
        'is_recently_active',
        channel.isRecentlyActive,
      ]),
    ],
  };
}
refreshActivity.actionName = 'channels.refreshActivity' as const;
