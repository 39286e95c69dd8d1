import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

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

/** The texts of somebody's drafts, as the server has them. */
export const storedDrafts = async (by: Connection): Promise<string[]> =>
  (await by.get<{ drafts: { content: string }[] }>('/drafts')).drafts.map(({ content }) => content);

/** Asks again and again until the answer is as it should be. */
export async function untilAnswered(ask: () => Promise<unknown>, expected: unknown): Promise<void> {
  const signal = AbortSignal.timeout(30_000);
  for (;;) {
    const answer = await ask();
    if (isDeepStrictEqual(answer, expected)) return;
    if (signal.aborted) assert.deepEqual(answer, expected);
    await setTimeout(100);
  }
}

/** Waits until the server has no drafts of somebody any more. */
export const untilNoDrafts = (by: Connection): Promise<void> => untilAnswered(() => storedDrafts(by), []);
