import { type Narrow, peopleOf } from '../router/narrow.ts';
import { isSpectator } from '../session/session.ts';

const texts: Readonly<Record<string, string>> = {
  'is/starred': 'You have starred no message. A star keeps a message where you find it again.',
  'is/mentioned': 'Nobody has mentioned you yet.',
  'is/unread': 'You have read everything.',
  'is/alerted': 'None of your alert words was written yet.',
  'is/followed': 'There are no messages in topics that you follow.',
  'is/dm': 'You have no direct messages yet.',
};

/** What is said where there is no message. */
export function EmptyState({ narrow, isChannel }: { narrow: Narrow; isChannel: boolean }) {
  const { terms } = narrow;
  const [first] = terms;
  const key = first && terms.length === 1 && !first.negated ? `${first.operator}/${first.operand}` : '';
  const isSearch = terms.some(({ operator }) => !['channel', 'topic', 'dm', 'in', 'is'].includes(operator));
  const isWritable = !isSpectator() && (isChannel || peopleOf(narrow) !== null);
  const text =
    texts[key] ??
    (isSearch
      ? 'No message matches.'
      : isWritable
        ? 'There are no messages here yet. Write the first one.'
        : 'There are no messages here.');
  return <p class="list-state">{text}</p>;
}
