/** Many deadlines behind one timer: the owner of the wheel regularly asks which items are due. */
export interface TimerWheel<Item extends { readonly dueMs: number }> {
  add(item: Item): void;
  remove(item: Item): void;
  /** Removes and returns the items that are due. */
  due(nowMs: number): Item[];
}

/** Creates a wheel. A deadline lies in a bucket of `bucketMs`; one further away than a turn of the wheel stays for another turn. */
export function createTimerWheel<Item extends { readonly dueMs: number }>(
  nowMs: number,
  bucketMs = 250,
  bucketCount = 256,
): TimerWheel<Item> {
  const buckets = Array.from({ length: bucketCount }, () => new Set<Item>());
  let turned = Math.floor(nowMs / bucketMs);

  const bucketAt = (tick: number) => buckets[tick % bucketCount] ?? new Set<Item>();
  const tickOf = ({ dueMs }: Item) => Math.floor(dueMs / bucketMs);

  return {
    add(item) {
      // An item that is due already goes into the next bucket to be looked at.
      bucketAt(Math.max(tickOf(item), turned)).add(item);
    },
    remove(item) {
      if (!bucketAt(tickOf(item)).delete(item)) bucketAt(turned).delete(item);
    },
    due(now) {
      const reached = Math.floor(now / bucketMs);
      const items: Item[] = [];
      // After a long pause of the process one whole turn looks at every bucket.
      for (let tick = Math.max(turned, reached - bucketCount); tick <= reached; tick += 1) {
        const bucket = bucketAt(tick);
        for (const item of bucket) {
          if (item.dueMs > now) continue;
          bucket.delete(item);
          items.push(item);
        }
      }
      turned = Math.max(turned, reached);
      return items;
    },
  };
}
