import type { State } from '../state/state.ts';

/** How many messages are kept that are in no list: those that came last. */
const looseMax = 1000;

/**
 * Lets go of messages that are in no list. It looks at all only after as many have come as there were: so each costs
 * the same, however many there are.
 */
export function heldIn(lists: () => (readonly number[])[]): (state: State) => void {
  let nextAt = looseMax * 2;
  return ({ messages }) => {
    if (messages.size < nextAt) return;
    const held = new Set<number>();
    for (const ids of lists()) for (const id of ids) held.add(id);
    const loose = [...messages.keys()].filter((id) => !held.has(id)).sort((a, b) => a - b);
    for (const id of loose.slice(0, -looseMax)) messages.delete(id);
    nextAt = messages.size * 2 + looseMax;
  };
}
