import { signal } from '@preact/signals';

const key = 'parley-folded';

function remembered(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.map(String) : []);
  } catch {
    return new Set();
  }
}

/** Which parts of the sidebar are not as they are at first. It is remembered in this browser. */
const toggled = signal(remembered());

export const isToggled = (name: string): boolean => toggled.value.has(name);

export function toggle(name: string): void {
  const next = new Set(toggled.peek());
  if (!next.delete(name)) next.add(name);
  toggled.value = next;
  localStorage.setItem(key, JSON.stringify([...next]));
}
