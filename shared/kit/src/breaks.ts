/** What long work awaits between its steps. It returns at once unless others are to have a turn. */
export type Breaks = () => Promise<void> | undefined;

/**
 * Creates what pieces of long work await between their steps, all of the same. When they have held the event loop for
 * longer than `heldMsMax` in one of its turns, they wait, and one of them goes on in each of the next turns: however many
 * there are, nobody else waits for more than one.
 */
export function createBreaks(heldMsMax = 10, nowMs: () => number = () => performance.now()): Breaks {
  /** When the first of this turn asked; null before anybody has. */
  let sinceMs: number | null = null;
  let isResuming = false;
  const waiting: (() => void)[] = [];

  function begin(): number {
    setImmediate(endTurn);
    return nowMs();
  }

  function endTurn(): void {
    sinceMs = null;
    if (isResuming || waiting.length === 0) return;
    isResuming = true;
    // What has come from the network meanwhile is first.
    setImmediate(resume);
  }

  function resume(): void {
    isResuming = false;
    sinceMs ??= begin();
    waiting.shift()?.();
  }

  return () => {
    sinceMs ??= begin();
    if (nowMs() - sinceMs < heldMsMax) return undefined;
    return new Promise<void>((resolve) => void waiting.push(resolve));
  };
}

/** Awaited by all long work of this process. */
export const takeBreak: Breaks = createBreaks();

/**
 * Begins work on each of many, waits for none before it begins the next, and gives others a turn in between. Resolves with
 * all results, in order.
 */
export async function beginInTurns<Item, Result>(
  items: Iterable<Item>,
  begin: (item: Item) => Promise<Result>,
  breaks: Breaks = takeBreak,
): Promise<Result[]> {
  const begun: Promise<Result>[] = [];
  for (const item of items) {
    const result = begin(item);
    // Whoever waits for all of them hears of it.
    result.catch(() => undefined);
    begun.push(result);
    await breaks();
  }
  return await Promise.all(begun);
}
