import { type Signal, effect, signal } from '@preact/signals';

/** A value that this browser keeps. What is stored and is none is as if there were nothing. */
export function kept<Value>(
  key: string,
  initial: Value,
  isOne: (stored: unknown) => stored is Value,
): Signal<Value> {
  const value = signal(read(key, initial, isOne));
  effect(() => {
    const text = JSON.stringify(value.value);
    try {
      localStorage.setItem(key, text);
    } catch {
      // The store is full.
    }
  });
  return value;
}

function read<Value>(key: string, initial: Value, isOne: (stored: unknown) => stored is Value): Value {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return isOne(stored) ? stored : initial;
  } catch {
    return initial;
  }
}

export const isBoolean = (stored: unknown): stored is boolean => typeof stored === 'boolean';
export const isNumber = (stored: unknown): stored is number => Number.isFinite(stored);
