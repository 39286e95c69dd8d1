import { type Connection, connect } from '@parley/client';

import type { DemoCluster } from '../support/demo-cluster.ts';

/** A demo organization, and where it is. */
interface Place {
  demos: DemoCluster;
  address: string;
}

/** The API as somebody of the organization, beside what the page does. */
export function askAs({ demos, address }: Place, name: string): Connection {
  const { email, api_key: apiKey } = demos.demo(name);
  return connect({ baseUrl: address, credentials: { email, apiKey } });
}

export async function channelId(connection: Connection, name: string): Promise<number> {
  return (await connection.get<{ stream_id: number }>('/get_stream_id', { stream: name })).stream_id;
}

/** Sends to a topic. Answers with the message's id. */
export async function say(by: Connection, to: string, topic: string, content: string): Promise<number> {
  return (await by.post<{ id: number }>('/messages', { type: 'channel', to, topic, content })).id;
}

/** Sends a direct message. */
export async function tell(by: Connection, recipientId: number, content: string): Promise<void> {
  await by.post('/messages', { type: 'direct', to: [recipientId], content });
}
