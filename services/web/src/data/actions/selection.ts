import type { Message } from '@parley/client';

type Current = () => Message | null | undefined;

const lists: Current[] = [];

/** Registers the selection of a list, as long as the list is shown. Returns what ends it. */
export function offerSelection(current: Current): () => void {
  lists.unshift(current);
  return () => void lists.splice(lists.indexOf(current), 1);
}

/** The selected message; null where no list has one. */
export const selectedMessage = (): Message | null => lists[0]?.() ?? null;
