import type { Tx } from '@parley/db';
import { sql } from 'drizzle-orm';

import { type SweptRealms, isSwept } from '../ids.ts';

/** How long after its last message, or after its creation, a channel counts as active. */
const activeDays = 180;

/** Returns a condition on `c`, a channel of these realms: it has been active recently. */
export const recentlyActiveChannelCondition = (now: Date, realmIds: SweptRealms) => {
  const since = sql`${new Date(now.getTime() - activeDays * 86_400_000).toISOString()}::timestamptz`;
  return sql<boolean>`(c.created_at > ${since} or coalesce((
    select sent_at > ${since} from messages
    where realm_id = c.realm_id and ${isSwept(sql`realm_id`, realmIds)} and channel_id = c.id order by id desc limit 1
  ), false))`;
};

export interface ChannelReference extends Record<string, unknown> {
  id: number;
  realm_id: number;
}

/**
 * Returns channels of active realms whose stored activity differs from their actual activity, at most `max` of them.
 */
export async function listChannelsWithChangedActivity(
  tx: Tx,
  { now, realmIds }: { now: Date; realmIds: SweptRealms },
  max: number,
): Promise<ChannelReference[]> {
  return await tx.execute<ChannelReference>(sql`
    select c.id, c.realm_id from channels c join realms r on r.id = c.realm_id and r.is_active
    where ${isSwept(sql`c.realm_id`, realmIds)} and c.is_recently_active <> ${recentlyActiveChannelCondition(now, realmIds)} order by c.id limit ${max}`);
}
