/** Many deadlines behind one timer: the owner of the wheel regularly asks which items are due. */
export interface TimerWheel<Item extends { readonly dueMs: number }> {
  add(item: Item): void;
  remove(item: Item): void;
  /** Removes and returns the items that are due. */
  due(nowMs: number): Item[];
}

/** A deadline lies in a slot of `slotMs`; one further away than a turn of the wheel stays for another turn. */
export function createTimerWheel<Item extends { readonly dueMs: number }>(
  nowMs: number,
  slotMs = 250,
  slotCount = 256,
): TimerWheel<Item> {
  const slots = Array.from({ length: slotCount }, () => new Set<Item>());
  let turned = Math.floor(nowMs / slotMs);

  const slotAt = (tick: number) => slots[tick % slotCount] ?? new Set<Item>();
  const tickOf = ({ dueMs }: Item) => Math.floor(dueMs / slotMs);

  return {
    add(item) {
      // An item that is due already goes into the next slot to be looked at.
      slotAt(Math.max(tickOf(item), turned)).add(item);
    },
    remove(item) {
      if (!slotAt(tickOf(item)).delete(item)) slotAt(turned).delete(item);
    },
    due(now) {
      const reached = Math.floor(now / slotMs);
      const items: Item[] = [];
      // After a long pause of the process one whole turn looks at every slot.
      for (let tick = Math.max(turned, reached - slotCount); tick <= reached; tick += 1) {
        const slot = slotAt(tick);
        for (const item of slot) {
          if (item.dueMs > now) continue;
          slot.delete(item);
          items.push(item);
        }
      }
      turned = Math.max(turned, reached);
      return items;
    },
  };
}
