import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

import { rememberHmacs } from './hmacs.ts';
import { signalsOf } from './signals.ts';
import type { World } from './world.ts';

type Work = (...args: unknown[]) => void;

/** A timer as the code under test handles one. */
class SimulatedTimer {
  cancel: () => void = () => undefined;
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

function timersOf(world: () => World) {
  const begin = (ms: number, work: () => void): SimulatedTimer => {
    const timer = new SimulatedTimer();
    const happening = world().after(world().place, ms, work);
    timer.cancel = () => (happening.isCancelled = true);
    return timer;
  };
  const clear = (timer: SimulatedTimer | null | undefined) => timer?.cancel();
  return {
    setTimeout: (work: Work, ms = 0, ...args: unknown[]) => begin(ms, () => work(...args)),
    clearTimeout: clear,
    setInterval(work: Work, ms = 0, ...args: unknown[]) {
      const timer = new SimulatedTimer();
      const { place } = world();
      const again = () => {
        const happening = world().after(place, ms, () => {
          again();
          work(...args);
        });
        timer.cancel = () => (happening.isCancelled = true);
      };
      again();
      return timer;
    },
    clearInterval: clear,
    setImmediate: (work: Work, ...args: unknown[]) => begin(0, () => work(...args)),
    clearImmediate: clear,
  };
}

const givenUp = new DOMException('The wait was given up.', 'AbortError');

/** As that of `node:timers/promises`. */
const sleepIn =
  (world: () => World) =>
  <Value>(ms = 0, value?: Value, { signal }: { signal?: AbortSignal } = {}): Promise<Value> =>
    new Promise((resolve, reject) => {
      const stop = () => {
        happening.isCancelled = true;
        reject(givenUp);
      };
      const happening = world().after(world().place, ms, () => {
        signal?.removeEventListener('abort', stop);
        // Safe: it is undefined where none was given.
        resolve(value as Value);
      });
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    });

/** What is of the system before a world takes it over. */
export const systemTimers = {
  setImmediate: globalThis.setImmediate,
};

/**
 * Lets this process's timers, chances and time be those of the world that the function returns, for good: what the code under
 * test takes from the system, it takes from there.
 */
export function takeOverTimers(world: () => World): void {
  Object.assign(
    globalThis,
    timersOf(world),
    signalsOf((ms, work) => world().after(world().place, ms, work)),
  );
  Object.assign(timers, { setTimeout: sleepIn(world) });
  Object.assign(crypto, { randomUUID: () => world().uuid(), createHmac: rememberHmacs(crypto.createHmac) });
  Math.random = () => world().random();
  Date.now = () => Math.floor(world().nowMs);
  performance.now = () => world().nowMs;
  syncBuiltinESMExports();
}
