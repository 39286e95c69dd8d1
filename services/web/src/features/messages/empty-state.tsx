import { type Narrow, peopleOf } from '../../base/router/narrow.ts';
import { isSpectator } from '../../data/session/session.ts';
import { emptyListText } from '../../strings/messages.ts';

const texts: Readonly<Record<string, string>> = emptyListText;

/** Shows why a list has no messages. */
export function EmptyState({ narrow, isChannel }: { narrow: Narrow; isChannel: boolean }) {
  const { terms } = narrow;
  const [first] = terms;
  const key = first && terms.length === 1 && !first.negated ? `${first.operator}/${first.operand}` : '';
  const isSearch = terms.some(({ operator }) => !['channel', 'topic', 'dm', 'in', 'is'].includes(operator));
  const isWritable = !isSpectator() && (isChannel || peopleOf(narrow) !== null);
  const text =
    texts[key] ??
    (isSearch ? emptyListText.search : isWritable ? emptyListText.writable : emptyListText.other);
  return <p class="list-state">{text}</p>;
}
