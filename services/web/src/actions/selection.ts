import type { Message } from '@parley/client';

type Current = () => Message | null | undefined;

const lists: Current[] = [];

/** Says at which message the reader is, as long as a list is shown. Returns what ends it. */
export function offerSelection(current: Current): () => void {
  lists.unshift(current);
  return () => void lists.splice(lists.indexOf(current), 1);
}

/** The message at which the reader is; null, where no list shows one. */
export const selectedMessage = (): Message | null => lists[0]?.() ?? null;
