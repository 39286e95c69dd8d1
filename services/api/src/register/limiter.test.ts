import { setImmediate } from 'node:timers/promises';

import { ApiError } from '@parley/protocol';
import { expect, test } from 'vitest';

import { createRegistrationLimiter } from './limiter.ts';

/** A limiter of two at once, of whom so many may wait, and whose registrations take so long. */
function limiterOf(waitingMax: number, takesMs: number) {
  const clock = { nowMs: 1000 };
  const limiter = createRegistrationLimiter({ atOnce: 2, waitingMax, nowMs: () => clock.nowMs });
  const advance = async () => void (clock.nowMs += takesMs);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  return {
    clock,
    release: () => release(),
    /** Serves so many, one after the other. */
    serve: async (count: number) => {
      for (let served = 0; served < count; served += 1) await limiter(1, null, advance);
    },
    /** Two run and do not end, and the others wait, so that there is no room. */
    occupy: async () => {
      for (let number = 0; number < 2 + waitingMax; number += 1) {
        void limiter(1, null, () => held);
        await setImmediate();
      }
    },
    /** The seconds after which somebody is told to come back. */
    comeBack: async () =>
      await limiter(1, null, advance).then(
        () => 0,
        (error: unknown) => (error instanceof ApiError ? Number(error.headers['Retry-After']) : -1),
      ),
  };
}

test('those for whom there is no room come back one after the other, as fast as they can be served', async () => {
  const { clock, serve, occupy, comeBack, release } = limiterOf(12, 500);
  await serve(200);
  await occupy();
  const told = [];
  for (let refused = 0; refused < 24; refused += 1) told.push(await comeBack());
  // Two at once that take half a second each: four a second, and three seconds until all are served who wait.
  expect(told.slice(0, 11)).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3]);
  expect(Math.max(...told)).toBe(3);
  expect(told.slice(11, 13), 'then from the beginning').toContain(1);
  clock.nowMs += 10_000;
  expect(await comeBack()).toBe(1);
  release();
});

test('an account has one registration at a time, and nobody else waits for it', async () => {
  using limiter = createRegistrationLimiter({ atOnce: 3, waitingMax: 12 });
  const begun: string[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const register = (accountId: number | null, name: string) =>
    limiter(1, accountId, async () => {
      begun.push(name);
      if (accountId === 1) await held;
    });
  const ofOne = Promise.all([register(1, 'first'), register(1, 'second')]);
  await Promise.all([register(2, 'of another'), register(null, 'of nobody'), register(null, 'of nobody')]);
  expect(begun).toEqual(['first', 'of another', 'of nobody', 'of nobody']);
  release();
  await ofOne;
  expect(begun.at(-1)).toBe('second');
});

test('more than a hundred registrations of an account do not wait', async () => {
  using limiter = createRegistrationLimiter({ atOnce: 2, waitingMax: 500 });
  const never = new Promise<void>(() => undefined);
  for (let number = 0; number < 101; number += 1) void limiter(1, 1, () => never);
  await setImmediate();
  await expect(limiter(1, 1, async () => 'served')).rejects.toThrow(ApiError);
  expect(await limiter(1, 2, async () => 'served')).toBe('served');
});

test('nobody is told to come back much later', async () => {
  const { serve, occupy, comeBack, release } = limiterOf(500, 500);
  await serve(200);
  await occupy();
  const told = [];
  for (let refused = 0; refused < 400; refused += 1) told.push(await comeBack());
  expect(told.at(-1)).toBe(30);
  release();
});

test('where nobody may wait, as many run as may', async () => {
  const { serve, occupy, comeBack, release } = limiterOf(0, 500);
  await serve(1);
  await occupy();
  expect(await comeBack()).toBeGreaterThan(0);
  release();
});
