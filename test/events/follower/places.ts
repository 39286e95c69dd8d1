import type { Json } from '../../support/index.ts';
import type { State } from './state.ts';

export const topicKey = ({ stream_id, topic_name }: Json) => `${stream_id} ${topic_name.toLowerCase()}`;

export const inTopic = (channel: number, topic: string) => `channel ${channel}, ${topic.toLowerCase()}`;

export const ofPeople = (others: number[]) => `people ${[...others].sort((a, b) => a - b).join(' ')}`;

/** Where a message is, as `unread_msgs` says it. */
export function placeOf(state: State, { type, stream_id, topic, others }: Json): string {
  if (type === 'stream') return inTopic(stream_id, topic);
  const me = state.own.user_id;
  if (others.length > 1) return `all of ${[...others, me].sort((a: number, b: number) => a - b).join(',')}`;
  return ofPeople(others.length === 0 ? [me] : others);
}

export const othersIn = (state: State, people: string): number[] =>
  people
    .split(',')
    .map(Number)
    .filter((id) => id !== state.own.user_id);
