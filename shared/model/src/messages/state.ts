import type { Tx } from '@parley/db';
import { sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';

/**
 * Returns the id of the newest message that a user received, or -1. Costs one index step per conversation of the user:
 * by itself, Postgres would take few for received, and read all of each conversation to put them in order.
 */
export async function getMaxMessageId(tx: Tx, actor: Pick<Actor, 'id' | 'realm'>): Promise<number> {
  const [newest] = await tx.execute<{ id: number | null }>(sql`
    select max(m.id) as id
    from conversation_members c
    cross join lateral (
      select id from (
        select id, ordinal from messages
        where realm_id = ${actor.realm.id} and conversation_id = c.conversation_id
          and ordinal < coalesce(upper(c.received), 9223372036854775807)
        order by ordinal desc offset 0
      ) m
      where ordinal <@ c.received limit 1
    ) m
    where c.realm_id = ${actor.realm.id} and c.user_id = ${actor.id} and not isempty(c.received)`);
  return newest?.id ?? -1;
}
