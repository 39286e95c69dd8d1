import type { Tx, ChannelRow } from '@parley/db';
import { intArray } from '@parley/model';
import type { Audience } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

import { lockTopicPolicies } from '../lock.ts';

/**
 * Clears what users who can no longer see a channel left in it: that they were subscribed, and their visibility policies
 * for its topics. Should they see it again, they have never been in it. Messages that they received stay theirs.
 */
export async function clearFormerMembers(
  tx: Tx,
  { id, realmId, conversationId }: ChannelRow,
  losers: Audience,
): Promise<void> {
  await lockTopicPolicies(tx, { id: realmId }, [id], 'alone');
  const { users, except = [] } = losers;
  const isLoser = (column: SQL) =>
    users ? sql`${column} = any(${intArray(users)})` : sql`${column} <> all(${intArray(except)})`;
  await tx.execute(sql`
    with locked as (
      select user_id from conversation_members
      where realm_id = ${realmId} and conversation_id = ${conversationId} and was_subscribed and ${isLoser(sql`user_id`)}
      order by user_id for update
    )
    update conversation_members set was_subscribed = false
    where realm_id = ${realmId} and conversation_id = ${conversationId} and user_id in (select user_id from locked)`);
  await tx.execute(sql`
    delete from user_topics
    where realm_id = ${realmId}
      and topic_id in (select id from topics where realm_id = ${realmId} and channel_id = ${id}) and ${isLoser(sql`user_id`)}`);
}
