/** Many deadlines behind one timer: whoever owns the wheel asks it now and then what is due. */
export interface TimerWheel<Item extends { readonly dueMs: number }> {
  add(item: Item): void;
  remove(item: Item): void;
  /** Takes out and returns what is due by now. */
  due(nowMs: number): Item[];
}

/** Deadlines fall into slots of `slotMs`; one that is further away than a turn of the wheel waits for its turn. */
export function createTimerWheel<Item extends { readonly dueMs: number }>(
  nowMs: number,
  slotMs = 250,
  slotCount = 256,
): TimerWheel<Item> {
  const slots = Array.from({ length: slotCount }, () => new Set<Item>());
  let turned = Math.floor(nowMs / slotMs);

  const slotAt = (tick: number) => slots[tick % slotCount] ?? new Set<Item>();
  // What is already due goes into the next slot to be looked at.
  const slotOf = ({ dueMs }: Item) => Math.floor(dueMs / slotMs);

  return {
    add(item) {
      slotAt(Math.max(slotOf(item), turned)).add(item);
    },
    remove(item) {
      if (!slotAt(slotOf(item)).delete(item)) slotAt(turned).delete(item);
    },
    due(now) {
      const reached = Math.floor(now / slotMs);
      const items: Item[] = [];
      // After a long pause of the process one whole turn sees every slot.
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
