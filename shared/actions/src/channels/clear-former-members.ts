import type { Tx, ChannelRow } from '@parley/db';
import { intArray } from '@parley/model';
import type { Audience } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

/**
 * For users who see a channel no more: it is as if they had never been in it, should they see it again. What they
 * received stays theirs.
 */
export async function clearFormerMembers(
  tx: Tx,
  { id, conversationId }: ChannelRow,
  losers: Audience,
): Promise<void> {
  const { users, except = [] } = losers;
  const areThose = (column: SQL) =>
    users ? sql`${column} = any(${intArray(users)})` : sql`${column} <> all(${intArray(except)})`;
  await tx.execute(sql`
    with held as (
      select user_id from conversation_members
      where conversation_id = ${conversationId} and was_subscribed and ${areThose(sql`user_id`)}
      order by user_id for update
    )
    update conversation_members set was_subscribed = false
    where conversation_id = ${conversationId} and user_id in (select user_id from held)`);
  await tx.execute(sql`
    delete from user_topics
    where topic_id in (select id from topics where channel_id = ${id}) and ${areThose(sql`user_id`)}`);
}
