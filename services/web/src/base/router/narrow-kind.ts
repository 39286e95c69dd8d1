import { type Narrow, channelOf, peopleOf, topicOf } from './narrow.ts';

const conversational = new Set(['channel', 'topic', 'dm', 'with']);

/** Returns whether a narrow is a channel or a conversation, without other conditions. */
export const isPlainPlace = ({ terms }: Narrow): boolean =>
  terms.every(({ operator, negated }) => !negated && conversational.has(operator));

/** Returns whether a narrow is one conversation: a topic of a channel, or people. */
export const isConversation = (narrow: Narrow): boolean =>
  isPlainPlace(narrow) &&
  (peopleOf(narrow) !== null || (channelOf(narrow) !== null && topicOf(narrow) !== null));

/** Returns whether a narrow shows all that is said somewhere, so that whoever scrolls through it has read it. */
const showsAllOfSomewhere = ({ terms }: Narrow): boolean =>
  terms.every(
    ({ operator, operand, negated }) =>
      (conversational.has(operator) && !negated) ||
      operator === 'in' ||
      operator === 'channels' ||
      (operator === 'is' && ['dm', 'private', 'resolved', 'followed', 'muted'].includes(operand)),
  );

/** Where a list of a narrow begins, unless the reader was somewhere in it before. */
export const startOf = (narrow: Narrow): 'first_unread' | 'newest' =>
  showsAllOfSomewhere(narrow) ? 'first_unread' : 'newest';

/** Returns whether a narrow searches for words. */
export const isSearch = ({ terms }: Narrow): boolean =>
  terms.some(({ operator, negated }) => operator === 'search' && !negated);

/** The values of the user setting `web_mark_read_on_scroll_policy`. */
export const markReadPolicies = { always: 1, conversations: 2, never: 3 } as const;

/** Returns whether what is seen in a narrow counts as read. */
export function marksRead(narrow: Narrow, policy: unknown): boolean {
  if (policy === markReadPolicies.never || !showsAllOfSomewhere(narrow)) return false;
  return policy !== markReadPolicies.conversations || isConversation(narrow);
}
