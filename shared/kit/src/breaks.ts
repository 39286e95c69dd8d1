import { setImmediate } from 'node:timers/promises';

/**
 * Creates what long work awaits between its steps: it lets everybody else have a turn when the work has held the event
 * loop for longer than `heldMsMax`, and otherwise returns at once.
 */
export function createBreaks(
  heldMsMax = 10,
  nowMs: () => number = () => performance.now(),
): () => Promise<void> | undefined {
  let sinceMs = nowMs();
  return () => {
    if (nowMs() - sinceMs < heldMsMax) return undefined;
    return setImmediate().then(() => {
      sinceMs = nowMs();
    });
  };
}
