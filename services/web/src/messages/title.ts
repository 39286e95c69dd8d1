import { part } from '../live/state.ts';
import { type Narrow, channelOf, peopleOf, topicOf } from '../router/narrow.ts';

/** What a narrow is called. */
export function titleOf(narrow: Narrow): string {
  const [channel, topic, people] = [channelOf(narrow), topicOf(narrow), peopleOf(narrow)];
  if (channel !== null) {
    const name = `#${part('channels').get(channel)?.name ?? part('subscriptions').get(channel)?.name ?? channel}`;
    return topic === null ? name : `${name} › ${topic || 'general chat'}`;
  }
  if (people) {
    return (
      people.map((id) => part('users').get(id)?.full_name ?? `Somebody (${id})`).join(', ') || 'Yourself'
    );
  }
  if (narrow.terms.length === 0) return 'Combined feed';
  return narrow.terms
    .map(({ operator, operand, negated }) => `${negated ? '-' : ''}${operator}:${operand}`)
    .join(' ');
}
