import type { Message } from '../state/message.ts';
import type { State } from '../state/state.ts';
import type { Match, Page } from './history.ts';
import { hasId, insertId, removeId } from './ids.ts';
import { type Narrow, isOfUnread, matches } from './narrow.ts';

/** The ids of a stretch of the narrow's messages without gaps. */
export interface Stretch {
  /** Ascending. Is changed in place. */
  readonly ids: number[];
  /** Whether the stretch begins with the narrow's oldest message. */
  hasOldest: boolean;
  /** Whether it ends with its newest, so that new messages continue it. */
  hasNewest: boolean;
  readonly matches: Map<number, Match>;
}

export const noStretch = (): Stretch => ({ ids: [], hasOldest: false, hasNewest: false, matches: new Map() });

/** Returns whether a message with the id belongs into the stretch, if it matches. */
export function covers({ ids, hasOldest, hasNewest }: Stretch, id: number): boolean {
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined) return hasOldest && hasNewest;
  return (id >= first || hasOldest) && (id <= last || hasNewest);
}

/**
 * Brings the stretch to what a message is now. `changed`: the list shows it otherwise than before; `ask`: only the
 * server can say whether it belongs there.
 */
export function consider(
  stretch: Stretch,
  narrow: Narrow,
  id: number,
  state: State,
): 'same' | 'changed' | 'ask' {
  const isIn = hasId(stretch.ids, id);
  const message = state.messages.get(id);
  if (!message) return isIn && drop(stretch, id) ? 'changed' : 'same';
  const isMatch = matches(narrow, message, state);
  if (isIn) {
    if (isMatch === false && !isOfUnread(narrow)) drop(stretch, id);
    return 'changed';
  }
  if (isMatch === false || !covers(stretch, id)) return 'same';
  if (isMatch === null) return 'ask';
  insertId(stretch.ids, id);
  return 'changed';
}

function drop({ ids, matches }: Stretch, id: number): boolean {
  matches.delete(id);
  return removeId(ids, id);
}

/** Puts a page into the cache. What the client has already stays, unless a lost queue has made it old. */
export function cache({ messages }: State, page: readonly Message[]): void {
  for (const message of page) {
    const known = messages.get(message.id);
    if (!known || JSON.stringify(known) !== JSON.stringify(message)) messages.set(message.id, message);
  }
}

/** Joins a page to the stretch, at an end or in the place of all of it. */
export function extend(stretch: Stretch, page: Page, side: 'older' | 'newer' | 'all'): void {
  const ids = page.messages.map(({ id }) => id);
  if (side === 'all') {
    stretch.matches.clear();
    stretch.ids.length = 0;
  }
  const known = stretch.ids.splice(0);
  const joined = side === 'older' ? [...ids, ...known] : [...known, ...ids];
  const ascends = joined.every((id, index) => index === 0 || id > (joined[index - 1] ?? 0));
  for (const id of ascends ? joined : [...new Set(joined)].sort((a, b) => a - b)) stretch.ids.push(id);
  for (const [id, match] of page.matches) stretch.matches.set(id, match);
  if (side !== 'newer') stretch.hasOldest = page.foundOldest;
  if (side !== 'older') stretch.hasNewest = page.foundNewest;
}

/** Leaves out what is farthest from where the reader is, when there are a tenth more than `max`. */
export function trim(stretch: Stretch, max: number, readerAt: number | null): void {
  const { ids } = stretch;
  const excess = ids.length - max;
  if (excess <= max / 10) return;
  const middle = ids[ids.length >>> 1] ?? 0;
  const isInOlderHalf = readerAt !== null && readerAt < middle;
  const gone = isInOlderHalf ? ids.splice(max) : ids.splice(0, excess);
  if (isInOlderHalf) stretch.hasNewest = false;
  else stretch.hasOldest = false;
  for (const id of gone) stretch.matches.delete(id);
}
