import { type Signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { startOfDay } from '../../base/functions/days.ts';
import { go, useFragment } from '../../base/router/fragment.ts';
import { isPlainPlace } from '../../base/router/narrow-kind.ts';
import {
  type Narrow,
  type Term,
  channelOf,
  narrowFragment,
  readNarrow,
  viewKeyOf,
} from '../../base/router/narrow.ts';
import { showError } from '../../base/toasts/toasts.tsx';
import { peek } from '../../data/live/state.ts';
import { fragmentAt } from '../../data/places/dates.ts';
import { textOf } from '../../data/places/text-of.ts';
import { savedSearches } from '../../data/searches/saved-searches.ts';
import { recentSearches, rememberSearch } from '../../data/session/recent-searches.ts';
import { isSpectator } from '../../data/session/session.ts';
import { topicsOf } from '../../data/topics/topics.ts';
import { searchText } from '../../strings/search.ts';
import { type Suggestion, complete } from './complete-search.ts';
import { placeIn } from './places-in.ts';
import { readSearch, wordsOf } from './read-search.ts';

const noTerms: readonly Term[] = [];

/** Returns whether a narrow is a view with a name of its own, such as that of starred messages. */
const isNamedView = ({ terms: [first, ...more] }: Narrow): boolean =>
  first !== undefined && more.length === 0 && !first.negated && ['is', 'in'].includes(first.operator);

/** What stands in the search field: terms, and what is typed after them. */
interface Written {
  terms: Signal<readonly Term[]>;
  text: Signal<string>;
  /** What is wrong with it. */
  refusals: Signal<readonly string[]>;
  /** Whether suggestions are shown. */
  isOpen: Signal<boolean>;
  hasFocus: Signal<boolean>;
  /** The suggestion that Enter accepts; -1 for none. */
  active: Signal<number>;
}

function useWritten(initial: readonly Term[]): Written {
  return {
    terms: useSignal(initial),
    text: useSignal(''),
    refusals: useSignal<readonly string[]>([]),
    isOpen: useSignal(false),
    hasFocus: useSignal(false),
    active: useSignal(-1),
  };
}

/** What the account has searched for here before, and what it keeps, for a field in which nothing is written. */
function earlier(account: number): Suggestion[] {
  const saved = savedSearches();
  const recent = recentSearches(account).filter((fragment) => !saved.includes(fragment));
  const suggest = (fragment: string, says: string): Suggestion => ({
    text: fragment,
    term: null,
    label: (readNarrow(fragment)?.terms ?? []).map(textOf).join(' '),
    says,
    fragment,
  });
  return [
    ...saved.map((fragment) => suggest(fragment, searchText.saved)),
    ...recent.map((fragment) => suggest(fragment, searchText.recent)),
  ].slice(0, earlierMax);
}

const earlierMax = 10;

function useSuggestions({ terms, text, isOpen }: Written) {
  return useComputed(() => {
    if (!isOpen.value) return [];
    if (text.value === '' && !isSpectator()) return earlier(peek().own.user_id);
    const channel = channelOf({ terms: terms.value, near: null });
    const word = text.value.endsWith(' ') ? '' : (wordsOf(text.value).at(-1) ?? '');
    const topics = channel === null ? [] : (topicsOf(channel).value ?? []).map(({ name }) => name);
    return complete(word, { state: peek(), terms: terms.value, topics });
  }).value;
}

/** The state of the search field, and what is done with it. Another view has other terms. */
export function useSearch() {
  const field = useRef<HTMLInputElement>(null);
  const fragment = useFragment();
  const narrow = readNarrow(fragment);
  const written = useWritten(narrow?.terms ?? noTerms);
  const { terms, text, refusals, isOpen, hasFocus, active } = written;
  useEffect(() => {
    terms.value = narrow?.terms.filter(({ operator }) => operator !== 'with') ?? noTerms;
    text.value = '';
    refusals.value = [];
  }, [viewKeyOf(fragment)]);
  const suggestions = useSuggestions(written);

  function search(all: readonly Term[]): void {
    if (all.length === 0) return;
    isOpen.value = false;
    const { terms: shown, near, day } = placeIn(all);
    const since = day === null ? null : startOfDay(day);
    if (since) {
      fragmentAt({ terms: shown }, since)
        .then((found) => go(found ?? narrowFragment({ terms: shown, near })))
        .catch(showError);
      return;
    }
    const next = narrowFragment({ terms: shown, near });
    if (!isPlainPlace({ terms: shown, near: null }) && !isSpectator())
      rememberSearch(peek().own.user_id, narrowFragment({ terms: shown, near: null }));
    if (next === viewKeyOf(fragment)) field.current?.blur();
    else go(next);
  }

  function submit(): void {
    const read = readSearch(text.peek());
    refusals.value = read.refusals;
    if (read.refusals.length === 0) search([...terms.peek(), ...read.terms]);
  }

  function remove(index: number): void {
    const rest = terms.peek().filter((_, at) => at !== index);
    terms.value = rest;
    if (rest.length > 0) search(rest);
    else field.current?.focus();
  }

  function accept(index: number): void {
    const suggestion = suggestions[index];
    if (!suggestion) return;
    if (suggestion.fragment !== undefined) {
      active.value = -1;
      isOpen.value = false;
      go(suggestion.fragment);
      return;
    }
    const before = wordsOf(text.peek()).slice(0, -1).join(' ');
    active.value = -1;
    refusals.value = [];
    text.value = [before, suggestion.term ? '' : suggestion.text].filter(Boolean).join(' ');
    if (suggestion.term) terms.value = [...terms.peek(), suggestion.term];
    field.current?.focus();
  }

  // The header says which conversation or view is shown.
  const isRepeated = narrow !== null && (isPlainPlace(narrow) || isNamedView(narrow));
  const shown = hasFocus.value || !isRepeated ? terms.value : noTerms;
  return { field, written, shown, suggestions, submit, remove, accept };
}
