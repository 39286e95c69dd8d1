import type { Changes, Own, Part, State } from '@parley/client';
import { type Signal, batch, signal } from '@preact/signals';

/**
 * The state of `@parley/client`, as components read it: whatever renders or computes with a part is run again when the
 * part changes, and not otherwise. The client changes maps in place, so that each part has a number that rises.
 */
let current: State | null = null;
const parts = new Map<Part, Signal<number>>();
const fields = new Map<string, Signal<number>>();

function touch<Key>(signals: Map<Key, Signal<number>>, key: Key): void {
  let version = signals.get(key);
  if (!version) signals.set(key, (version = signal(0)));
  void version.value;
}

function rise<Key>(signals: Map<Key, Signal<number>>, keys: Iterable<Key>): void {
  for (const key of keys) {
    const version = signals.get(key);
    if (version) version.value += 1;
  }
}

/** Whether there is a state yet. */
export const hasState = (): boolean => current !== null;

/** The state as it is, for what happens at a moment: an answer to a click, a request. Nobody is told when it changes. */
export function peek(): State {
  if (!current) throw new Error('There is no state yet.');
  return current;
}

/** A part of the state; the reader is told when it changes. */
export function part<Name extends Part>(name: Name): State[Name] {
  touch(parts, name);
  return peek()[name];
}

/** A field of what the client knows of its account and organization; the reader is told when it changes. */
export function own<Name extends string & keyof Own>(name: Name): Own[Name] {
  touch(fields, name);
  return peek().own[name];
}

/** A setting of the person. */
export const userSetting = (name: string): unknown => own('user_settings')[name];

export function setState(state: State): void {
  current = state;
  batch(() => {
    rise(parts, parts.keys());
    rise(fields, fields.keys());
  });
}

export function noteChanges(changes: Changes): void {
  batch(() => {
    rise(parts, changes.parts);
    rise(fields, changes.own);
  });
}
