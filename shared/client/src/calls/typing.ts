import type { Connection } from '../connection/connect.ts';
import type { Destination } from '../messages/outbox.ts';

type Op = 'start' | 'stop';

/** Says that the account writes to a place, or has stopped. */
export async function sendTyping(connection: Connection, op: Op, destination: Destination): Promise<void> {
  const recipient =
    'channelId' in destination
      ? { type: 'channel', stream_id: destination.channelId, topic: destination.topic }
      : { type: 'direct', to: destination.userIds };
  await connection.post('/typing', { ...recipient, op });
}

/** Says that the account edits a message, or has stopped. */
export async function sendEditTyping(connection: Connection, op: Op, messageId: number): Promise<void> {
  await connection.post(`/messages/${messageId}/typing`, { op });
}
