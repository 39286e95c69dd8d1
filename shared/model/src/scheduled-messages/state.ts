import { type ScheduledMessageRow, type Tx, tables } from '@parley/db';
import type { ScheduledMessage } from '@parley/protocol';
import { and, asc, isNull } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { isOfUser } from '../ids.ts';
import { toSeconds } from '../time.ts';

export function presentScheduledMessage(row: ScheduledMessageRow): ScheduledMessage {
  const { id, type, recipients, topic, content, renderedContent, dueAt, failureMessage } = row;
  const fields = {
    scheduled_message_id: id,
    content,
    rendered_content: renderedContent,
    scheduled_delivery_timestamp: toSeconds(dueAt),
    failed: failureMessage !== null,
  };
  if (type === 'private') return { ...fields, type: 'private', to: recipients };
  const [channelId] = recipients;
  if (channelId === undefined) throw new Error(`Scheduled message ${id} has no channel.`);
  return { ...fields, type: 'stream', to: channelId, topic };
}

/** Returns a user's scheduled messages that were not sent, in the order in which they are due. */
export async function scheduledMessagesState(
  tx: Tx,
  user: Pick<Actor, 'id' | 'realm'>,
): Promise<ScheduledMessage[]> {
  const { scheduledMessages } = tables;
  const rows = await tx
    .select()
    .from(scheduledMessages)
    .where(and(isOfUser(scheduledMessages, user), isNull(scheduledMessages.sentAt)))
    .orderBy(asc(scheduledMessages.dueAt), asc(scheduledMessages.id));
  return rows.map(presentScheduledMessage);
}
