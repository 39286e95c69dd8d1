import { type Tx, tables } from '@parley/db';
import { type Actor, isOfUser } from '@parley/model';
import { ApiError, limits } from '@parley/protocol';
import { and, isNull, sql } from 'drizzle-orm';

/**
 * Refuses what was written if the actor's scheduled messages, which are locked, have become too many, or too long
 * together.
 *
 * @throws BAD_REQUEST
 */
export async function assertScheduleWithinLimits(tx: Tx, actor: Actor): Promise<void> {
  const { scheduledMessages } = tables;
  const { scheduledMessagesPerUser, scheduledMessageBytesPerUser } = limits;
  const [total] = await tx
    .select({
      count: sql<number>`count(*)::int`,
      bytes: sql<number>`coalesce(sum(
        octet_length(${scheduledMessages.content}) + octet_length(${scheduledMessages.renderedContent})
      ), 0)::int`,
    })
    .from(scheduledMessages)
    .where(and(isOfUser(scheduledMessages, actor), isNull(scheduledMessages.sentAt)));
  if (!total || total.count > scheduledMessagesPerUser) {
    throw new ApiError('BAD_REQUEST', `You can have at most ${scheduledMessagesPerUser} scheduled messages.`);
  }
  if (total.bytes > scheduledMessageBytesPerUser) {
    const msg = `Your scheduled messages can have at most ${scheduledMessageBytesPerUser} bytes in total.`;
    throw new ApiError('BAD_REQUEST', msg);
  }
}
