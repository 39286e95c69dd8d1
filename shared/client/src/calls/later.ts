import type { Connection } from '../connection/connect.ts';
import type { Destination } from '../messages/outbox.ts';

/** Converts a destination to the parameters of POST /scheduled_messages. */
const recipientOf = (destination: Destination) =>
  'channelId' in destination
    ? { type: 'channel', to: destination.channelId, topic: destination.topic }
    : { type: 'direct', to: destination.userIds };

/**
 * Has a message sent later; answers with the id of what is scheduled.
 * @param at seconds since the epoch
 */
export async function scheduleMessage(
  connection: Connection,
  destination: Destination,
  content: string,
  at: number,
): Promise<number> {
  const params = { ...recipientOf(destination), content, scheduled_delivery_timestamp: at };
  type Reply = { scheduled_message_id: number };
  return (await connection.post<Reply>('/scheduled_messages', params)).scheduled_message_id;
}

/** @throws RequestFailed, also where the message was sent meanwhile */
export async function reschedule(
  connection: Connection,
  id: number,
  change: { content?: string; at?: number },
): Promise<void> {
  await connection.patch(`/scheduled_messages/${id}`, {
    content: change.content,
    scheduled_delivery_timestamp: change.at,
  });
}

export async function deleteScheduled(connection: Connection, id: number): Promise<void> {
  await connection.delete(`/scheduled_messages/${id}`);
}

/**
 * Has the account reminded of a message.
 * @param at seconds since the epoch
 */
export async function createReminder(
  connection: Connection,
  messageId: number,
  at: number,
  note?: string,
): Promise<void> {
  await connection.post('/reminders', { message_id: messageId, scheduled_delivery_timestamp: at, note });
}

export async function deleteReminder(connection: Connection, id: number): Promise<void> {
  await connection.delete(`/reminders/${id}`);
}
