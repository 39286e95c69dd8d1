import { type Narrow, peopleOf } from '../../base/router/narrow.ts';
import { Empty } from '../../base/states/empty.tsx';
import { isSpectator } from '../../data/session/session.ts';
import { askFocus } from '../../data/writing/composition.ts';
import { emptyListText } from '../../strings/messages.ts';
import { viewText } from '../../strings/views.ts';

const texts: Readonly<Record<string, string>> = emptyListText;
const drawings: Readonly<Record<string, 'star' | 'at' | 'tray'>> = {
  'is/starred': 'star',
  'is/mentioned': 'at',
  'is/alerted': 'at',
  'is/unread': 'tray',
};

/** Shows why a list has no messages, and what leads on from there. */
export function EmptyState({ narrow, isChannel }: { narrow: Narrow; isChannel: boolean }) {
  const { terms } = narrow;
  const [first] = terms;
  const key = first && terms.length === 1 && !first.negated ? `${first.operator}/${first.operand}` : '';
  const isSearch = terms.some(({ operator }) => !['channel', 'topic', 'dm', 'in', 'is'].includes(operator));
  const isWritable = !isSpectator() && (isChannel || peopleOf(narrow) !== null);
  if (texts[key] === undefined && isSearch) {
    return (
      <Empty drawing="lens" text={emptyListText.search}>
        <button type="button" onClick={focusSearch}>
          {emptyListText.changeSearch}
        </button>
      </Empty>
    );
  }
  const text = texts[key] ?? (isWritable ? emptyListText.writable : emptyListText.other);
  return (
    <Empty drawing={drawings[key] ?? 'bubbles'} text={text}>
      {isWritable && texts[key] === undefined ? (
        <button type="button" class="primary" onClick={() => askFocus()}>
          {emptyListText.write}
        </button>
      ) : (
        <a class="button" href={isSpectator() ? '#feed' : '#recent'}>
          {isSpectator() ? viewText.feed : viewText.recent}
        </a>
      )}
    </Empty>
  );
}

const focusSearch = () => document.querySelector('form[role=search]')?.querySelector('input')?.focus();
