import type { Tx } from '@parley/db';
import { sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';

/**
 * Returns the id of the newest message that a user received, or -1. Costs one index step per conversation of the user.
 */
export async function getMaxMessageId(tx: Tx, actor: Pick<Actor, 'id' | 'realm'>): Promise<number> {
  const [newest] = await tx.execute<{ id: number | null }>(sql`
    select max(m.id) as id
    from conversation_members c
    cross join lateral (
      select id from messages
      where realm_id = ${actor.realm.id} and conversation_id = c.conversation_id
        and (upper_inf(c.received) or ordinal < upper(c.received))
        and ordinal <@ c.received
      order by ordinal desc limit 1
    ) m
    where c.user_id = ${actor.id}`);
  return newest?.id ?? -1;
}
