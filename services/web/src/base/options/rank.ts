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

/** Adds an item to those that are kept, in their order; among as many as are wanted, the last one goes. */
function keep<Item>(
  kept: Item[],
  item: Item,
  max: number,
  compare: (one: Item, other: Item) => number,
): void {
  let at = kept.length;
  while (at > 0 && compare(item, kept[at - 1] as Item) < 0) at -= 1;
  if (at === max) return;
  kept.splice(at, 0, item);
  kept.length = Math.min(kept.length, max);
}

/**
 * The items whose names fit best, best first. Nothing is sorted but what is returned, so that a name among thousands is found
 * between two keys.
 * @param namesOf the names under which an item is found
 * @param compare orders items that fit equally; without it they stay in their order
 */
export function best<Item>(
  query: string,
  items: Iterable<Item>,
  namesOf: (item: Item) => readonly string[],
  max = 8,
  compare?: (one: Item, other: Item) => number,
): Item[] {
  const buckets: Item[][] = [[], [], [], [], []];
  for (const item of items) {
    const fits = namesOf(item)
      .map((name) => fit(query, name))
      .filter((one) => one !== null);
    const bucket = buckets[Math.min(...fits)];
    if (bucket) keep(bucket, item, max, compare ?? (() => 0));
    // Nothing fits better than the first ones.
    if (!compare && (buckets[0]?.length ?? 0) >= max) break;
  }
  return buckets.flat().slice(0, max);
}
