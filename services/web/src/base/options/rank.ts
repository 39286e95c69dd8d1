/** Returns how well a name matches what was typed: 0 is best, and null is no match. */
export function fit(query: string, name: string): number | null {
  const [typed, whole] = [query.toLowerCase().trim(), name.toLowerCase()];
  if (typed === '' || whole === typed) return 0;
  if (whole.startsWith(typed)) return 1;
  const at = whole.indexOf(typed);
  if (at > 0 && /[\s_\-.(]/.test(whole[at - 1] ?? '')) return 2;
  // Beginnings of words, such as `al me` of `Alice Member`.
  const prefixes = typed.split(/\s+/);
  const words = whole.split(/[\s_\-.()]+/);
  if (prefixes.length > 1 && prefixes.every((prefix, index) => words[index]?.startsWith(prefix))) return 3;
  return at > 0 && typed.length > 1 ? 4 : null;
}

/**
 * The items whose names fit best, best first. Among those that fit equally, their order is kept.
 * @param nameOf the names under which an item is found
 */
export function best<Item>(
  query: string,
  items: Iterable<Item>,
  namesOf: (item: Item) => readonly string[],
  max = 8,
): Item[] {
  const buckets: Item[][] = [[], [], [], [], []];
  for (const item of items) {
    const fits = namesOf(item)
      .map((name) => fit(query, name))
      .filter((one) => one !== null);
    if (fits.length > 0) buckets[Math.min(...fits)]?.push(item);
    // Nothing fits better than the first ones.
    if ((buckets[0]?.length ?? 0) >= max) break;
  }
  return buckets.flat().slice(0, max);
}
