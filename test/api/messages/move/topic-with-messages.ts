import { type Event, type Json, type Person, say } from '../../../support/index.ts';
import { type Newsroom, newsroom } from '../newsroom.ts';

export const quiet = { send_notification_to_new_thread: false };
export const all = { propagate_mode: 'change_all' };

/** A newsroom with three messages in one topic. */
export async function topicWithMessages(): Promise<Newsroom & { ids: number[] }> {
  const room = await newsroom();
  const ids: number[] = [];
  for (const by of [room.alice, room.bob, room.alice]) ids.push(await say(by, 'news', 'lunch'));
  return { ...room, ids };
}

export const move = (by: Person, id: number | undefined, params: object) =>
  by.patch(`/messages/${id}`, { ...params });
export const kinds = (events: Event[]) =>
  events.map(({ type, op }) => (op === undefined ? type : `${type} ${op}`));
export const textsIn = async (by: Person, topic: string, channel = 'news'): Promise<string[]> => {
  const narrow = [
    ['channel', channel],
    ['topic', topic],
  ];
  const params = { anchor: 'newest', num_before: 100, narrow, apply_markdown: false };
  return (await by.get('/messages', params)).messages.map(({ content }: Json) => content);
};
