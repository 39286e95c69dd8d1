import { useComputed, useSignal } from '@preact/signals';
import { X } from 'lucide-preact';
import { useEffect, useId, useRef } from 'preact/hooks';

import { useCommand } from '../../base/keys/commands.ts';
import { go, useFragment } from '../../base/router/fragment.ts';
import { isPlainPlace } from '../../base/router/narrow-kind.ts';
import { type Term, channelOf, narrowFragment, readNarrow, viewKeyOf } from '../../base/router/narrow.ts';
import { peek } from '../../data/live/state.ts';
import { topicsOf } from '../../data/topics/topics.ts';
import { commonText } from '../../strings/common.ts';
import { searchText } from '../../strings/search.ts';
import { complete } from './complete-search.ts';
import { readSearch, wordsOf } from './read-search.ts';
import { textOf } from './text-of.ts';

import './search-field.css';

const noTerms: readonly Term[] = [];

/** Shows the search field: the terms of the view as chips, and what is typed after them. */
export function SearchField() {
  const field = useRef<HTMLInputElement>(null);
  const fragment = useFragment();
  const narrow = readNarrow(fragment);
  const terms = useSignal<readonly Term[]>(narrow?.terms ?? noTerms);
  const text = useSignal('');
  const refusals = useSignal<readonly string[]>([]);
  const isOpen = useSignal(false);
  const hasFocus = useSignal(false);
  const active = useSignal(-1);
  const listId = useId();
  useCommand('search', () => field.current?.focus());
  useEffect(() => {
    terms.value = narrow?.terms.filter(({ operator }) => operator !== 'with') ?? noTerms;
    text.value = '';
    refusals.value = [];
  }, [viewKeyOf(fragment)]);

  const suggestions = useComputed(() => {
    if (!isOpen.value) return [];
    const channel = channelOf({ terms: terms.value, near: null });
    const word = text.value.endsWith(' ') ? '' : (wordsOf(text.value).at(-1) ?? '');
    const topics = channel === null ? [] : (topicsOf(channel).value ?? []).map(({ name }) => name);
    return complete(word, { state: peek(), terms: terms.value, topics });
  }).value;

  function search(all: readonly Term[]): void {
    if (all.length === 0) return;
    isOpen.value = false;
    const next = narrowFragment({ terms: all, near: null });
    if (next === viewKeyOf(fragment)) field.current?.blur();
    else go(next);
  }

  function submit(): void {
    const read = readSearch(text.peek());
    refusals.value = read.refusals;
    if (read.refusals.length === 0) search([...terms.peek(), ...read.terms]);
  }

  function accept(index: number): void {
    const suggestion = suggestions[index];
    if (!suggestion) return;
    const words = wordsOf(text.peek());
    const before = words.slice(0, -1).join(' ');
    active.value = -1;
    refusals.value = [];
    text.value = [before, suggestion.term ? '' : suggestion.text].filter(Boolean).join(' ');
    if (suggestion.term) terms.value = [...terms.peek(), suggestion.term];
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      const count = suggestions.length;
      if (count === 0) return;
      active.value =
        (active.peek() + (key === 'ArrowDown' ? 1 : count) + (active.peek() < 0 ? count : 0)) % count;
    } else if (key === 'Enter' && active.peek() >= 0 && suggestions[active.peek()]) accept(active.peek());
    else if (key === 'Tab' && text.peek() !== '' && suggestions.length > 0)
      accept(Math.max(0, active.peek()));
    else if (key === 'Backspace' && text.peek() === '') terms.value = terms.peek().slice(0, -1);
    else return;
    event.preventDefault();
  }

  // The header says which conversation is shown.
  const isRepeated = narrow !== null && isPlainPlace(narrow);
  const shown = hasFocus.value || !isRepeated ? terms.value : noTerms;
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
        {shown.map((term, index) => (
          <span key={`${index} ${textOf(term)}`} class={`chip ${term.negated ? 'negated' : ''}`}>
            <span dir="auto">{textOf(term)}</span>
            <button
              type="button"
              aria-label={searchText.remove(textOf(term))}
              onClick={() => {
                const rest = terms.peek().filter((_, at) => at !== index);
                terms.value = rest;
                if (rest.length > 0) search(rest);
                else field.current?.focus();
              }}
            >
              <X size={12} />
            </button>
          </span>
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
          placeholder={shown.length === 0 ? `${commonText.search}  /` : ''}
          autocomplete="off"
          value={text.value}
          onFocus={() => (isOpen.value = true)}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
            active.value = -1;
            refusals.value = [];
            isOpen.value = true;
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        id={listId}
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
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={active.value === index}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => accept(index)}
          >
            {label} <span class="dim">{says}</span>
          </div>
        ))}
      </div>
      {refusals.value.length > 0 && (
        <p class="search-refusal refusal-text" role="alert">
          {refusals.value.join(' ')}
        </p>
      )}
    </form>
  );
}
