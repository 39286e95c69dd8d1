/**
 * Returns what asks for one thing by its key: keys that are asked for in one moment are asked for together, in portions
 * one after another. What is not found, or could not be asked for, is null.
 */
export function gather<Key, Found>(
  portion: number,
  ask: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Found>>,
): (key: Key) => Promise<Found | null> {
  const waiting = new Map<Key, ((found: Found | null) => void)[]>();
  const askAll = async () => {
    while (waiting.size > 0) {
      const asked = [...waiting].slice(0, portion);
      for (const [key] of asked) waiting.delete(key);
      const found = await ask(asked.map(([key]) => key)).catch(() => new Map<Key, Found>());
      for (const [key, answers] of asked) for (const answer of answers) answer(found.get(key) ?? null);
    }
  };
  return (key) =>
    new Promise((resolve) => {
      if (waiting.size === 0) queueMicrotask(() => void askAll());
      waiting.set(key, [...(waiting.get(key) ?? []), resolve]);
    });
}
