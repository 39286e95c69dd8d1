import type { Signal } from '@preact/signals';

import { kept } from './kept.ts';

const isList = (stored: unknown): stored is string[] =>
  Array.isArray(stored) && stored.every((one) => typeof one === 'string');

/** A set of names that this browser keeps. */
export const keptNames = (key: string): Signal<string[]> => kept<string[]>(key, [], isList);

/** Puts a name into a set, or takes it out. */
export function toggleName(names: Signal<string[]>, name: string): void {
  const before = names.peek();
  names.value = before.includes(name) ? before.filter((one) => one !== name) : [...before, name];
}
