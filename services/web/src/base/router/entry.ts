import { useMemo } from 'preact/hooks';

import { useFragment } from './fragment.ts';

interface EntryState {
  entry: string;
}

const isEntryState = (state: unknown): state is EntryState =>
  typeof state === 'object' && state !== null && 'entry' in state && typeof state.entry === 'string';

/** The name of the current entry of the browser's history: whoever goes back to the entry finds the same one. */
export function entryName(): string {
  const state: unknown = history.state;
  if (isEntryState(state)) return state.entry;
  const entry = crypto.getRandomValues(new Uint32Array(2)).join('');
  history.replaceState({ ...(state as object | null), entry }, '');
  return entry;
}

/** The name of the entry of the browser's history that is shown. */
export function useEntry(): string {
  const fragment = useFragment();
  return useMemo(entryName, [fragment]);
}
