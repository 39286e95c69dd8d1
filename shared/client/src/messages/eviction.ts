import type { State } from '../state/state.ts';

/** How many messages are kept that are in no list: those that came last. */
const looseMax = 1000;

/**
 * Evicts messages that are in no list. All of them are examined only after as many have come as there were, so that
 * each message costs the same, however many there are.
 */
export function createEviction(lists: () => (readonly number[])[]): (state: State) => void {
  let nextAt = looseMax * 2;
  return ({ messages }) => {
    if (messages.size < nextAt) return;
    const listed = new Set<number>();
    for (const ids of lists()) for (const id of ids) listed.add(id);
    const loose = [...messages.keys()].filter((id) => !listed.has(id)).sort((a, b) => a - b);
    for (const id of loose.slice(0, -looseMax)) messages.delete(id);
    nextAt = messages.size * 2 + looseMax;
  };
}
