import { expect } from 'vitest';

import { type Json, type Person, type TestRealm, emptyChannel, realm } from '../../support/index.ts';

/** People, and a public channel with Alice, Bob and the guest in it. */
export interface Newsroom extends TestRealm {
  people: TestRealm;
  news: number;
}

export async function newsroom(): Promise<Newsroom> {
  const people = await realm();
  const { alice, bob, guest } = people;
  return { ...people, people, news: await emptyChannel(alice, 'news', [alice, bob, guest]) };
}

/** The message as someone is shown it, its text as it was written; undefined where they may not read it. */
export async function see(who: Person, id: number): Promise<Json> {
  const params = { apply_markdown: false, allow_empty_topic_name: true };
  return (await who.get(`/messages/${id}`, params)).message;
}

/** The newest messages in a narrow, as someone is shown them. */
export const fetchIn = (who: Person, narrow: Json, more: object = {}): Promise<Json> =>
  who.get('/messages', { anchor: 'newest', num_before: 1000, narrow, ...more });

/** Their ids. */
export async function find(who: Person, ...narrow: Json[]): Promise<number[]> {
  const reply = await fetchIn(who, narrow);
  expect(reply, JSON.stringify(narrow)).toMatchObject({ result: 'success' });
  return reply.messages.map(({ id }: Json) => id);
}

/** Ids of a topic's messages, as someone finds them; none where they may not read the channel. */
export async function idsIn(who: Person, channelId: number, topic: string): Promise<number[]> {
  const { messages = [] } = await fetchIn(who, [
    ['channel', channelId],
    ['topic', topic],
  ]);
  return messages.map(({ id }: Json) => id);
}
