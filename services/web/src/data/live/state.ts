import type { Changes, Own, Slice, State, UserSettings } from '@parley/client';
import { type Signal, batch, signal } from '@preact/signals';

/**
 * The state of `@parley/client`, as components read it: whatever renders or computes with a slice is run again when the
 * slice changes, and not otherwise. The client changes maps in place, so that each slice has a number that rises.
 */
const current = signal<State | null>(null);
const slices = new Map<Slice, Signal<number>>();
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

/** Returns whether there is a state yet. */
export const hasState = (): boolean => current.peek() !== null;

/** The state as it is, for what happens at a moment: an answer to a click, a request. Nothing is subscribed. */
export function peek(): State {
  const state = current.peek();
  if (!state) throw new Error('There is no state yet.');
  return state;
}

/** A slice of the state. Whatever reads it runs again when the slice changes. */
export function slice<Name extends Slice>(name: Name): State[Name] {
  touch(slices, name);
  return peek()[name];
}

/** A field of the account or organization. Whatever reads it runs again when the field changes. */
export function own<Name extends string & keyof Own>(name: Name): Own[Name] {
  touch(fields, name);
  return peek().own[name];
}

/** A setting of the person. */
export const userSetting = <Name extends keyof UserSettings>(name: Name): UserSettings[Name] | undefined =>
  own('user_settings')[name];

export function setState(state: State): void {
  batch(() => {
    current.value = state;
    rise(slices, slices.keys());
    rise(fields, fields.keys());
  });
}

export function applyChanges(changes: Changes): void {
  batch(() => {
    rise(slices, changes.slices);
    rise(fields, changes.own);
  });
}
