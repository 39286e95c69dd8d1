export type Listener<Value> = (value: Value) => void;

/** A set of listeners. */
export interface Emitter<Value> {
  /** Returns what ends it. */
  readonly subscribe: (listener: Listener<Value>) => () => void;
  readonly emit: (value: Value) => void;
}

export function createEmitter<Value>(): Emitter<Value> {
  const listeners = new Set<Listener<Value>>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    emit(value) {
      for (const listener of listeners) listener(value);
    },
  };
}
