import { type Narrow, channelOf, peopleOf, topicOf } from '../../base/router/narrow.ts';
import { nameText } from '../../strings/common.ts';
import { listNames } from '../../strings/language.ts';
import { viewText } from '../../strings/views.ts';
import { slice } from '../live/state.ts';
import { nameOfUser } from '../people/names.ts';

/** A topic as it is shown: the empty one has a name of the organization's as well. */
export const topicName = (topic: string): string => topic || nameText.generalChat;

/** Names of people as a conversation with them is called. `others`: without the reader. */
export function namesOf(others: readonly number[]): string {
  const ownId = slice('own').user_id;
  const names = others.filter((id) => id !== ownId).map(nameOfUser);
  return listNames(names) || nameText.yourself;
}

const named: Readonly<Record<string, string>> = {
  'in:home': viewText.feed,
  'in:all': viewText.everything,
  'is:mentioned': viewText.mentions,
  'is:starred': viewText.starred,
  'is:dm': viewText.direct,
  'is:unread': viewText.unread,
  'is:followed': viewText.followed,
};

/** Returns the name of a narrow. */
export function titleOf(narrow: Narrow): string {
  const text = narrow.terms
    .map(({ operator, operand, negated }) => `${negated ? '-' : ''}${operator}:${operand}`)
    .join(' ');
  const [channel, topic, people] = [channelOf(narrow), topicOf(narrow), peopleOf(narrow)];
  const about = narrow.terms.filter(({ operator }) => operator !== 'with').length;
  if (channel !== null && about === (topic === null ? 1 : 2)) {
    const name = `#${slice('channels').get(channel)?.name ?? channel}`;
    return topic === null ? name : `${name} › ${topicName(topic)}`;
  }
  if (people && about === 1) return namesOf(people);
  if (narrow.terms.length === 0) return viewText.feed;
  return named[text] ?? (text === 'has:reaction sender:me' ? viewText.reactions : viewText.search);
}
