import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { VirtualizerHandle } from 'virtua';

import { useCommand } from './commands.ts';

/** A list of which only the rows near those in view are on the page. */
interface Walked<Key> {
  /** What its rows are known by, in their order. */
  keys: readonly Key[];
  list: RefObject<VirtualizerHandle>;
  /** Finds the element of a row, if it is on the page: a link, or what has one. */
  readonly find: (key: Key) => Element | null | undefined;
}

interface Walk<Key> {
  /** Which row one is at, as its place among the keys; -1 for none. */
  readonly index: () => number;
  readonly goTo: (key: Key | null) => void;
}

/** Handles the keys that walk through a list. The focus goes along. */
export function useWalk<Key extends number | string>({ keys, list, find }: Walked<Key>): Walk<Key> {
  const at = useSignal<Key | null>(null);
  const index = () => (at.value === null ? -1 : keys.indexOf(at.value));
  const focus = () => {
    const row = at.value === null ? null : find(at.value);
    // Whoever is at one of its buttons stays there.
    if (!row || row.contains(document.activeElement)) return;
    const link = row.matches('a') ? row : row.querySelector('a');
    if (link instanceof HTMLElement) link.focus({ preventScroll: true });
  };
  const move = (by: number) => {
    const from = index();
    const to = from === -1 ? 0 : Math.min(Math.max(from + by, 0), keys.length - 1);
    const key = keys[to];
    if (key === undefined) return false;
    at.value = key;
    list.current?.scrollToIndex(to, { align: 'nearest' });
    focus();
    return true;
  };
  useCommand('down', () => move(1));
  useCommand('up', () => move(-1));
  // A row that was out of view is there only now.
  useEffect(focus, [at.value]);
  return { index, goTo: (key) => void (at.value = key) };
}
