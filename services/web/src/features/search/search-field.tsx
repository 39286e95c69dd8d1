import { Search, X } from 'lucide-preact';
import { useId } from 'preact/hooks';

import { useCommand } from '../../base/keys/commands.ts';
import type { Term } from '../../base/router/narrow.ts';
import { textOf } from '../../data/places/text-of.ts';
import { commonText } from '../../strings/common.ts';
import { searchText } from '../../strings/search.ts';
import type { Suggestion } from './complete-search.ts';
import { useSearch } from './use-search.ts';

import './search-field.css';

/** Shows the search field: the terms of the view as chips, and what is typed after them. */
export function SearchField() {
  const { field, written, shown, suggestions, submit, remove, accept } = useSearch();
  const { text, refusals, isOpen, hasFocus, active } = written;
  const listId = useId();
  useCommand('search', () => field.current?.focus());
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onFocusIn={() => (hasFocus.value = true)}
      onFocusOut={({ relatedTarget, currentTarget }) => {
        if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
        hasFocus.value = false;
        isOpen.value = false;
      }}
    >
      <div class="search-box">
        <Search aria-hidden="true" />
        {shown.map((term, index) => (
          <Chip key={`${index} ${textOf(term)}`} term={term} onRemove={() => remove(index)} />
        ))}
        <input
          dir="auto"
          ref={field}
          type="search"
          role="combobox"
          aria-label={commonText.search}
          aria-autocomplete="list"
          aria-expanded={suggestions.length > 0}
          aria-controls={listId}
          aria-activedescendant={active.value >= 0 ? `${listId}-${active.value}` : undefined}
          // A field without one runs from left to right as long as it is empty.
          placeholder={shown.length === 0 ? `${commonText.search}  /` : ' '}
          autocomplete="off"
          value={text.value}
          onFocus={() => (isOpen.value = true)}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
            active.value = -1;
            refusals.value = [];
            isOpen.value = true;
          }}
          onKeyDown={(event) => pressKey(event, written, suggestions.length, accept)}
        />
      </div>
      <Suggestions id={listId} suggestions={suggestions} active={active.value} onAccept={accept} />
      {refusals.value.length > 0 && (
        <p class="search-refusal refusal-text" role="alert">
          {refusals.value.join(' ')}
        </p>
      )}
    </form>
  );
}

/** Arrows choose a suggestion, Enter and Tab accept it, and Backspace removes the term before the text. */
function pressKey(
  event: KeyboardEvent,
  { terms, text, active }: ReturnType<typeof useSearch>['written'],
  count: number,
  accept: (index: number) => void,
): void {
  const { key } = event;
  const at = active.peek();
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    if (count === 0) return;
    active.value = (at + (key === 'ArrowDown' ? 1 : count) + (at < 0 ? count : 0)) % count;
  } else if (key === 'Enter' && at >= 0 && at < count) accept(at);
  else if (key === 'Tab' && text.peek() !== '' && count > 0) accept(Math.max(0, at));
  else if (key === 'Backspace' && text.peek() === '') terms.value = terms.peek().slice(0, -1);
  else return;
  event.preventDefault();
}

const Chip = ({ term, onRemove }: { term: Term; readonly onRemove: () => void }) => (
  <span class={`chip ${term.negated ? 'negated' : ''}`}>
    <span dir="auto">{textOf(term)}</span>
    <button type="button" aria-label={searchText.remove(textOf(term))} onClick={onRemove}>
      <X size={12} />
    </button>
  </span>
);

interface SuggestionsProps {
  id: string;
  suggestions: readonly Suggestion[];
  active: number;
  readonly onAccept: (index: number) => void;
}

const Suggestions = ({ id, suggestions, active, onAccept }: SuggestionsProps) => (
  <div
    id={id}
    class="search-suggestions"
    role="listbox"
    aria-label={commonText.suggestions}
    hidden={suggestions.length === 0}
  >
    {suggestions.map(({ text: key, label, says }, index) => (
      // The field has the keyboard: arrows choose, and Enter accepts.
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
      <div
        key={key}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={active === index}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onAccept(index)}
      >
        {label} <span class="dim">{says}</span>
      </div>
    ))}
  </div>
);
