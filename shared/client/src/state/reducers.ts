import type { Changes } from './changes.ts';
import type { EventsByKind } from './event.ts';
import type { State } from './state.ts';

/** What an event of each kind does to the state. */
export type Reducers = {
  [Kind in keyof EventsByKind]?: (state: State, event: EventsByKind[Kind], changes: Changes) => void;
};

/** @throws an error for a record that the server has never spoken of */
export function get<Key, Item>(records: ReadonlyMap<Key, Item>, key: Key): Item {
  const record = records.get(key);
  if (record === undefined) {
    throw new Error(`An event is about ${String(key)}, which the client does not know.`);
  }
  return record;
}

/** Sets a field of what the client knows of its own account and organization. */
export function setOwn(state: State, changes: Changes, fields: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(fields)) {
    state.own[name] = value;
    changes.own.add(name);
  }
  changes.slices.add('own');
}
