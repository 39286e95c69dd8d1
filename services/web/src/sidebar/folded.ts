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
const turned = signal(remembered());

export const isTurned = (name: string): boolean => turned.value.has(name);

export function turn(name: string): void {
  const next = new Set(turned.peek());
  if (!next.delete(name)) next.add(name);
  turned.value = next;
  localStorage.setItem(key, JSON.stringify([...next]));
}
