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

/** Ids of a topic's messages, as someone finds them. */
export async function idsIn(who: Person, channelId: number, topic: string): Promise<number[]> {
  const narrow = [
    ['channel', channelId],
    ['topic', topic],
  ];
  const reply = await who.get('/messages', { anchor: 'newest', num_before: 1000, narrow });
  return (reply.messages ?? []).map(({ id }: Json) => id);
}
