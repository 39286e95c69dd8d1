import type { Connection } from '../connection/connect.ts';

/** A topic of a channel, with its newest message. */
export interface Topic {
  name: string;
  max_id: number;
}

/** The topics of a channel, the one written in last first. */
export async function getTopics(connection: Connection, channelId: number): Promise<Topic[]> {
  const params = { allow_empty_topic_name: true };
  return (await connection.get<{ topics: Topic[] }>(`/users/me/${channelId}/topics`, params)).topics;
}

/** 0: as the channel is; 1: muted; 2: unmuted; 3: followed. */
export async function setTopicPolicy(
  connection: Connection,
  channelId: number,
  topic: string,
  visibility_policy: number,
): Promise<void> {
  await connection.post('/user_topics', { stream_id: channelId, topic, visibility_policy });
}
