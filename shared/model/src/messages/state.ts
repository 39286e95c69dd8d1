import type { Tx } from '@parley/db';
import { sql } from 'drizzle-orm';

/**
 * Returns the id of the newest message that a user received, or -1. Costs one index step per conversation of the user.
 */
export async function getMaxMessageId(tx: Tx, userId: number): Promise<number> {
  const [newest] = await tx.execute<{ id: number | null }>(sql`
    select max(m.id) as id
    from conversation_members c
    cross join lateral (
      select id from messages
      where conversation_id = c.conversation_id
        and (upper_inf(c.received) or ordinal < upper(c.received))
        and ordinal <@ c.received
      order by ordinal desc limit 1
    ) m
    where c.user_id = ${userId}`);
  return newest?.id ?? -1;
}
