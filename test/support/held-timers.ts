import { vi } from 'vitest';

/**
 * Holds the timers of this process whose delay is within these bounds, until they are released: then those that were not
 * cleared elapse. All others go on, so that connections are kept.
 */
export function holdTimers(fromMs: number, toMs: number): { release(): void } {
  const held = new Map<unknown, () => void>();
  const [start, clear] = [globalThis.setTimeout, globalThis.clearTimeout];
  const starting = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    elapse: (...args: unknown[]) => void,
    ms = 0,
    ...args: unknown[]
  ) => {
    if (ms < fromMs || ms >= toMs) return start(elapse, ms, ...args);
    const timer = start(() => undefined, 2 ** 31 - 1).unref();
    held.set(timer, () => elapse(...args));
    return timer;
  }) as typeof setTimeout);
  const clearing = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    held.delete(timer);
    clear(timer);
  });
  return {
    release() {
      starting.mockRestore();
      clearing.mockRestore();
      for (const [timer, elapse] of held) {
        clear(timer as NodeJS.Timeout);
        elapse();
      }
    },
  };
}
